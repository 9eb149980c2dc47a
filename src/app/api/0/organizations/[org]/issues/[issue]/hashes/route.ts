import { listIssueHashesEndpoint, unmergeHashesEndpoint } from '#app/api/0/endpoints/issue-hash-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listIssueHashesEndpoint,
  PUT: unmergeHashesEndpoint,
  DELETE: unmergeHashesEndpoint,
});
