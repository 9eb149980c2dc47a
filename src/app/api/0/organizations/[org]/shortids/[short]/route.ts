import { resolveShortIdEndpoint } from '#app/api/0/endpoints/lookup-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({ GET: resolveShortIdEndpoint });
