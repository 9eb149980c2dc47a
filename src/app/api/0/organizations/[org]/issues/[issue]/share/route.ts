import {
  getShareEndpoint,
  shareIssueEndpoint,
  stopSharingEndpoint,
} from '#app/api/0/endpoints/issue-share-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getShareEndpoint,
  POST: shareIssueEndpoint,
  DELETE: stopSharingEndpoint,
});
