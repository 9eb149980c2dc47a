import {
  createOrganizationEndpoint,
  listOrganizationsEndpoint,
} from '#app/api/0/endpoints/organization-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listOrganizationsEndpoint,
  POST: createOrganizationEndpoint,
});
