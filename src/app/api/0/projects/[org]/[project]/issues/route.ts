import {
  deleteProjectIssuesEndpoint,
  listProjectIssuesEndpoint,
  updateProjectIssuesEndpoint,
} from '#app/api/0/endpoints/project-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listProjectIssuesEndpoint,
  PUT: updateProjectIssuesEndpoint,
  DELETE: deleteProjectIssuesEndpoint,
});
