import {
  getMemberEndpoint,
  removeMemberEndpoint,
  updateMemberEndpoint,
} from '#app/api/0/endpoints/member-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getMemberEndpoint,
  PUT: updateMemberEndpoint,
  DELETE: removeMemberEndpoint,
});
