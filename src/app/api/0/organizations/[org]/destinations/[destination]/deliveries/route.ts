import { listDeliveriesEndpoint } from '#app/api/0/endpoints/destination-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({ GET: listDeliveriesEndpoint });
