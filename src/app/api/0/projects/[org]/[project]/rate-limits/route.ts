import { getRateLimitsEndpoint, updateRateLimitsEndpoint } from '#app/api/0/endpoints/limit-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  GET: getRateLimitsEndpoint,
  PUT: updateRateLimitsEndpoint,
});
