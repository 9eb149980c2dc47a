import type { DigestedFeedback } from '#protocol/telemetry.ts';
import { json, millis, nullableText, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

export const feedback = defineTable<DigestedFeedback>({
  table: 'feedback',
  time: { column: 'occurred_at', unit: 'ms' },
  rowId: 'feedback_id',
  find: { by: 'feedback_id' },
  filters: {
    traceId: 'trace_id',
    replayId: 'replay_id',
    associatedEventId: 'associated_event_id',
    release: 'release',
    environment: 'environment',
  },
  columns: {
    feedbackId: text('feedback_id'),
    source: text('source'),
    occurredAt: millis('occurred_at'),
    message: text('message'),
    name: nullableText('name'),
    email: nullableText('email'),
    url: nullableText('url'),
    associatedEventId: nullableText('associated_event_id'),
    replayId: nullableText('replay_id'),
    traceId: nullableText('trace_id'),
    release: nullableText('release'),
    environment: nullableText('environment'),
    platform: text('platform'),
    payload: json('payload'),
  },
});
