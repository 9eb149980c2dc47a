import { associateMappingEndpoint } from '#app/api/0/endpoints/debug-file-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  POST: associateMappingEndpoint,
});
