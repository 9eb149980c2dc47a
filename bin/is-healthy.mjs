// For health checks of containers: ends with 0 while the server of this machine answers, and with 1 otherwise.
import { get } from 'node:http';

const TIMEOUT_MS = 5_000;
const port = process.env.ERRATA_HEALTH_PORT || process.env.PORT || 9000;
const request = get({ host: '127.0.0.1', port, path: '/health/live', timeout: TIMEOUT_MS }, (response) => {
  process.exit(response.statusCode === 200 ? 0 : 1);
});
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
