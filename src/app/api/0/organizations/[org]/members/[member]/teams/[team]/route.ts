import { addTeamMemberEndpoint, removeTeamMemberEndpoint } from '#app/api/0/endpoints/team-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  POST: addTeamMemberEndpoint,
  DELETE: removeTeamMemberEndpoint,
});
