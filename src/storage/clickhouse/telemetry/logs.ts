import type { DigestedLog } from '#protocol/telemetry.ts';
import { attributes, count, micros, nullableText, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

export const logs = defineTable<DigestedLog>({
  table: 'logs',
  time: { column: 'occurred_at', unit: 'us' },
  rowId: 'row_id',
  find: { by: 'row_id' },
  filters: { traceId: 'trace_id', level: 'level', release: 'release', environment: 'environment' },
  columns: {
    rowId: text('row_id'),
    occurredAtUs: micros('occurred_at'),
    traceId: nullableText('trace_id'),
    spanId: nullableText('span_id'),
    level: text('level'),
    severityNumber: count('severity_number'),
    body: text('body'),
    source: text('source'),
    release: nullableText('release'),
    environment: nullableText('environment'),
    sdkName: text('sdk_name'),
    attributes: attributes('attributes'),
  },
});
