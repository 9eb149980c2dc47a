import { addLinkEndpoint, listLinksEndpoint } from '#app/api/0/endpoints/issue-link-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listLinksEndpoint,
  POST: addLinkEndpoint,
});
