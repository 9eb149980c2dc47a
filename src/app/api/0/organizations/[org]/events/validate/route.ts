import { validateEventsEndpoint } from '#app/api/0/endpoints/events-table/validate-events-endpoint.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({ GET: validateEventsEndpoint });
