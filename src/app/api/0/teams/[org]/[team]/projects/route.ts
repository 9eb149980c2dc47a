import {
  createTeamProjectEndpoint,
  listTeamProjectsEndpoint,
} from '#app/api/0/endpoints/team-project-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listTeamProjectsEndpoint,
  POST: createTeamProjectEndpoint,
});
