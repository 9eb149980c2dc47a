import {
  disableSpikeProtectionEndpoint,
  enableSpikeProtectionEndpoint,
} from '#app/api/0/endpoints/spike-protection-endpoints.ts';
import { handleApiRequest } from '#app/api/0/handle-api-request.ts';

export const { GET, POST, PUT, PATCH, DELETE } = handleApiRequest({
  POST: enableSpikeProtectionEndpoint,
  DELETE: disableSpikeProtectionEndpoint,
});
