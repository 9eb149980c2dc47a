import { rootEndpoint } from './endpoints/root-endpoint.ts';
import { handleApiRequest } from './handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({ GET: rootEndpoint });
