import type { DigestedSpan } from '#protocol/telemetry.ts';
import { attributes, count, flag, micros, nullableJson, nullableText, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

export const spans = defineTable<DigestedSpan>({
  table: 'spans',
  time: { column: 'started_at', unit: 'us' },
  rowId: 'concat(trace_id, span_id)',
  find: { by: 'span_id' },
  filters: {
    traceId: 'trace_id',
    transactionId: 'transaction_id',
    name: 'name',
    release: 'release',
    environment: 'environment',
  },
  columns: {
    traceId: text('trace_id'),
    spanId: text('span_id'),
    parentSpanId: nullableText('parent_span_id'),
    segmentId: nullableText('segment_id'),
    isSegment: flag('is_segment'),
    transactionId: nullableText('transaction_id'),
    source: text('source'),
    op: text('op'),
    name: text('name'),
    segmentName: text('segment_name'),
    status: text('status'),
    kind: text('kind'),
    origin: text('origin'),
    startedAtUs: micros('started_at'),
    durationUs: count('duration_us'),
    release: nullableText('release'),
    environment: nullableText('environment'),
    platform: text('platform'),
    sdkName: text('sdk_name'),
    userId: nullableText('user_id'),
    attributes: attributes('attributes'),
    links: nullableJson('links'),
  },
});
