import { z } from 'zod';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { keptBy, PAGE, RANGE } from '#app/api/0/parameters.ts';
import { LOG, METRIC } from '#app/api/0/schemas/telemetry.ts';
import { serializeLog, serializeMetric } from '#app/api/0/serializers/serialize-telemetry.ts';
import { telemetryListEndpoint } from './telemetry-list-endpoint.ts';

const LIST_LOGS = {
  summary: 'Lists logs of a project, newest first',
  scopes: ['event:read'],
  query: { ...keptBy(['traceId', 'level', 'release', 'environment']), ...PAGE, ...RANGE },
  answer: z.array(LOG),
  isPaged: true,
} satisfies Operation;

export const listLogsEndpoint = declare(
  LIST_LOGS,
  telemetryListEndpoint('logs', ['traceId', 'level', 'release', 'environment'], serializeLog),
);

const LIST_METRICS = {
  summary: 'Lists values of metrics of a project, newest first',
  scopes: ['event:read'],
  query: { ...keptBy(['traceId', 'name', 'release', 'environment']), ...PAGE, ...RANGE },
  answer: z.array(METRIC),
  isPaged: true,
} satisfies Operation;

export const listMetricsEndpoint = declare(
  LIST_METRICS,
  telemetryListEndpoint('metrics', ['traceId', 'name', 'release', 'environment'], serializeMetric),
);
