import { listOrganizationEventsEndpoint } from '#app/api/0/endpoints/organization-events-endpoint.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listOrganizationEventsEndpoint,
});
