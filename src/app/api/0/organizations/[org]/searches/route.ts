import {
  createSavedSearchEndpoint,
  listSavedSearchesEndpoint,
} from '#app/api/0/endpoints/saved-search-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: listSavedSearchesEndpoint,
  POST: createSavedSearchEndpoint,
});
