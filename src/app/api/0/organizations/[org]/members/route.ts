import { inviteMemberEndpoint, listMembersEndpoint } from '#app/api/0/endpoints/member-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listMembersEndpoint,
  POST: inviteMemberEndpoint,
});
