import type { DigestedTransaction } from '#protocol/telemetry.ts';
import { count, json, micros, nullableText, numbers, pairs, record, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

export const transactions = defineTable<DigestedTransaction>({
  table: 'transactions',
  time: { column: 'started_at', unit: 'us' },
  rowId: 'event_id',
  find: { by: 'event_id' },
  filters: {
    traceId: 'trace_id',
    eventId: 'event_id',
    replayId: 'replay_id',
    name: 'name',
    release: 'release',
    environment: 'environment',
  },
  columns: {
    eventId: text('event_id'),
    traceId: text('trace_id'),
    spanId: text('span_id'),
    name: text('name'),
    op: text('op'),
    status: text('status'),
    platform: text('platform'),
    startedAtUs: micros('started_at'),
    endedAtUs: micros('ended_at'),
    release: nullableText('release'),
    dist: nullableText('dist'),
    environment: nullableText('environment'),
    user: record({
      id: nullableText('user_id'),
      email: nullableText('user_email'),
      username: nullableText('user_username'),
      ip: nullableText('user_ip'),
    }),
    sdk: record({ name: text('sdk_name'), version: text('sdk_version') }),
    tags: pairs('tags'),
    measurements: numbers('measurements'),
    spanCount: count('span_count'),
    profileId: nullableText('profile_id'),
    replayId: nullableText('replay_id'),
    payload: json('payload'),
  },
});
