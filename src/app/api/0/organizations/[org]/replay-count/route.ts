import { countReplaysEndpoint } from '#app/api/0/endpoints/replay-count-endpoint.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({ GET: countReplaysEndpoint });
