import { deleteOrganizationArchiveEndpoint } from '#app/api/0/endpoints/release-archive-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  DELETE: deleteOrganizationArchiveEndpoint,
});
