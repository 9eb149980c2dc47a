import { releaseReprocesses } from '#app/api/0/endpoints/reprocess-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: releaseReprocesses.list,
  POST: releaseReprocesses.start,
});
