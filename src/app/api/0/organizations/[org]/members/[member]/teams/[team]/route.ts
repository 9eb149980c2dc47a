import {
  addTeamMemberEndpoint,
  removeTeamMemberEndpoint,
  updateTeamMemberEndpoint,
} from '#app/api/0/endpoints/team-member-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  POST: addTeamMemberEndpoint,
  PUT: updateTeamMemberEndpoint,
  DELETE: removeTeamMemberEndpoint,
});
