import { organizationReleaseFiles } from '#app/api/0/endpoints/release-file-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: organizationReleaseFiles.list,
  POST: organizationReleaseFiles.upload,
});
