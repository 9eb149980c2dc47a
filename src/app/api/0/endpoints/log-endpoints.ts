import { serializeLog, serializeMetric } from '#app/api/0/serializers/serialize-telemetry.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

export const listLogsEndpoint = telemetryListEndpoint(
  'logs',
  ['traceId', 'level', 'release', 'environment'],
  serializeLog,
);

export const listMetricsEndpoint = telemetryListEndpoint(
  'metrics',
  ['traceId', 'name', 'release', 'environment'],
  serializeMetric,
);
