import {
  deleteCodeMappingEndpoint,
  updateCodeMappingEndpoint,
} from '#app/api/0/endpoints/code-mapping-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  PUT: updateCodeMappingEndpoint,
  DELETE: deleteCodeMappingEndpoint,
});
