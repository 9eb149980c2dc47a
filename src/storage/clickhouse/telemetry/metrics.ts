import type { DigestedMetric } from '#protocol/telemetry.ts';
import { attributes, float, micros, nullableText, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

export const metrics = defineTable<DigestedMetric>({
  table: 'metrics',
  time: { column: 'occurred_at', unit: 'us' },
  rowId: 'row_id',
  find: { by: 'row_id' },
  filters: { traceId: 'trace_id', name: 'name', release: 'release', environment: 'environment' },
  columns: {
    rowId: text('row_id'),
    occurredAtUs: micros('occurred_at'),
    name: text('name'),
    type: text('type'),
    unit: text('unit'),
    value: float('value'),
    traceId: nullableText('trace_id'),
    spanId: nullableText('span_id'),
    source: text('source'),
    release: nullableText('release'),
    environment: nullableText('environment'),
    attributes: attributes('attributes'),
  },
});
