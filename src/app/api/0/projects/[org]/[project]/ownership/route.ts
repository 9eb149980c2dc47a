import { getOwnershipEndpoint, updateOwnershipEndpoint } from '#app/api/0/endpoints/ownership-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getOwnershipEndpoint,
  PUT: updateOwnershipEndpoint,
});
