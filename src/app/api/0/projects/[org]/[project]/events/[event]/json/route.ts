import { getEventJsonEndpoint } from '#app/api/0/endpoints/event-json-endpoint.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getEventJsonEndpoint,
});
