import { getBundleFileEndpoint } from '#app/api/0/endpoints/artifact-bundle-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getBundleFileEndpoint,
});
