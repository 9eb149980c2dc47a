import { authEndpoint } from '#app/api/0/endpoints/root-endpoint.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({ GET: authEndpoint });
