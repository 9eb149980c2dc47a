import {
  deleteDebugFileEndpoint,
  listDebugFilesEndpoint,
  uploadDebugFilesEndpoint,
} from '#app/api/0/endpoints/debug-file-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listDebugFilesEndpoint,
  POST: uploadDebugFilesEndpoint,
  DELETE: deleteDebugFileEndpoint,
});
