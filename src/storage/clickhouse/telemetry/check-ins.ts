import type { DigestedCheckIn } from '#protocol/telemetry.ts';
import { millis, nullableFloat, nullableJson, nullableText, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

/** Updates of check-ins. */
export const checkIns = defineTable<DigestedCheckIn>({
  table: 'check_ins',
  time: { column: 'occurred_at', unit: 'ms' },
  rowId: "concat(check_in_id, ':', status)",
  // What ended it says how it ended, whatever arrived after.
  find: { by: 'check_in_id', first: "status != 'in_progress' DESC, occurred_at DESC" },
  filters: { traceId: 'trace_id', monitorSlug: 'monitor_slug', environment: 'environment' },
  columns: {
    checkInId: text('check_in_id'),
    monitorSlug: text('monitor_slug'),
    status: text('status'),
    environment: text('environment'),
    occurredAt: millis('occurred_at'),
    durationMs: nullableFloat('duration_ms'),
    traceId: nullableText('trace_id'),
    monitorConfig: nullableJson('monitor_config'),
  },
});
