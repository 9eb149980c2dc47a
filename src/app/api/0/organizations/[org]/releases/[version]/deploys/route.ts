import { createDeployEndpoint, listDeploysEndpoint } from '#app/api/0/endpoints/deploy-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listDeploysEndpoint,
  POST: createDeployEndpoint,
});
