import {
  getOrganizationTokenEndpoint,
  renameOrganizationTokenEndpoint,
  revokeOrganizationTokenEndpoint,
} from '#app/api/0/endpoints/organization-token-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getOrganizationTokenEndpoint,
  PUT: renameOrganizationTokenEndpoint,
  DELETE: revokeOrganizationTokenEndpoint,
});
