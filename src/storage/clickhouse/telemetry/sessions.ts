import type { DigestedSession } from '#protocol/telemetry.ts';
import { count, flag, millis, nullableFloat, nullableText, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

export const sessions = defineTable<DigestedSession>({
  table: 'sessions',
  time: { column: 'started_at', unit: 'ms' },
  rowId: 'row_id',
  find: { by: 'session_id', first: 'seq DESC, occurred_at DESC' },
  filters: { release: 'release', environment: 'environment' },
  columns: {
    rowId: text('row_id'),
    kind: text('kind'),
    sessionId: nullableText('session_id'),
    distinctIdHash: nullableText('distinct_id_hash'),
    seq: count('seq'),
    isInit: flag('is_init'),
    startedAt: millis('started_at'),
    occurredAt: millis('occurred_at'),
    durationSeconds: nullableFloat('duration_seconds'),
    status: text('status'),
    errors: count('errors'),
    exited: count('exited'),
    errored: count('errored'),
    crashed: count('crashed'),
    abnormal: count('abnormal'),
    unhandled: count('unhandled'),
    release: text('release'),
    environment: nullableText('environment'),
    abnormalMechanism: nullableText('abnormal_mechanism'),
    userAgent: nullableText('user_agent'),
  },
});
