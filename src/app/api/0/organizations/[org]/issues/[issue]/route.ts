import { deleteIssueEndpoint } from '#app/api/0/endpoints/delete-issues-endpoint.ts';
import { getIssueEndpoint, updateIssueEndpoint } from '#app/api/0/endpoints/issue-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getIssueEndpoint,
  PUT: updateIssueEndpoint,
  DELETE: deleteIssueEndpoint,
});
