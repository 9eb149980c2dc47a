import { unknownEndpoint } from '#app/api/0/endpoints/unknown-endpoint.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: unknownEndpoint,
  POST: unknownEndpoint,
  PUT: unknownEndpoint,
  PATCH: unknownEndpoint,
  DELETE: unknownEndpoint,
});
