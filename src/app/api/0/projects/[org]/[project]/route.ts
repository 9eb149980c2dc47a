import {
  deleteProjectEndpoint,
  updateProjectEndpoint,
} from '#app/api/0/endpoints/project-change-endpoints.ts';
import { getProjectEndpoint } from '#app/api/0/endpoints/project-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getProjectEndpoint,
  PUT: updateProjectEndpoint,
  DELETE: deleteProjectEndpoint,
});
