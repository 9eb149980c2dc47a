import { statsSummaryEndpoint } from '#app/api/0/endpoints/stats-summary-endpoint.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({ GET: statsSummaryEndpoint });
