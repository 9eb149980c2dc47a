import {
  describeChunkUploadEndpoint,
  uploadChunksEndpoint,
} from '#app/api/0/endpoints/chunk-upload-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: describeChunkUploadEndpoint,
  POST: uploadChunksEndpoint,
});
