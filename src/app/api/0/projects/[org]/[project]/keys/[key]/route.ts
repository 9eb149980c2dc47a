import { deleteKeyEndpoint, getKeyEndpoint, updateKeyEndpoint } from '#app/api/0/endpoints/key-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getKeyEndpoint,
  PUT: updateKeyEndpoint,
  DELETE: deleteKeyEndpoint,
});
