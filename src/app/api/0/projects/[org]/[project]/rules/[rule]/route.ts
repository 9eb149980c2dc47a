import {
  deleteIssueRuleEndpoint,
  getIssueRuleEndpoint,
  updateIssueRuleEndpoint,
} from '#app/api/0/endpoints/alerts/issue-rule-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getIssueRuleEndpoint,
  PUT: updateIssueRuleEndpoint,
  DELETE: deleteIssueRuleEndpoint,
});
