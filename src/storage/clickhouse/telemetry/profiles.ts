import type { DigestedProfile } from '#protocol/telemetry.ts';
import { count, millis, nullableFloat, nullableText, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

export const profiles = defineTable<DigestedProfile>({
  table: 'profiles',
  time: { column: 'occurred_at', unit: 'ms' },
  rowId: 'profile_id',
  find: { by: 'profile_id' },
  filters: {
    traceId: 'trace_id',
    profilerId: 'profiler_id',
    name: 'transaction_name',
    release: 'release',
    environment: 'environment',
  },
  columns: {
    profileId: text('profile_id'),
    profilerId: nullableText('profiler_id'),
    kind: text('kind'),
    platform: text('platform'),
    occurredAt: millis('occurred_at'),
    durationMs: nullableFloat('duration_ms'),
    transactionName: nullableText('transaction_name'),
    traceId: nullableText('trace_id'),
    release: nullableText('release'),
    environment: nullableText('environment'),
    bytes: count('bytes'),
    blobKey: text('blob_key'),
  },
});
