import {
  deleteSavedSearchEndpoint,
  updateSavedSearchEndpoint,
} from '#app/api/0/endpoints/saved-search-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  PUT: updateSavedSearchEndpoint,
  DELETE: deleteSavedSearchEndpoint,
});
