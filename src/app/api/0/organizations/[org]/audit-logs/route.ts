import { listAuditLogEndpoint } from '#app/api/0/endpoints/audit-log-endpoint.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({ GET: listAuditLogEndpoint });
