import { outcomeStatsEndpoint } from '#app/api/0/endpoints/stats-endpoint.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({ GET: outcomeStatsEndpoint });
