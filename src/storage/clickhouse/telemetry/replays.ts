import type { DigestedReplay } from '#protocol/telemetry.ts';
import { count, json, millis, nullableMillis, nullableText, text, texts } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

/** What each segment of a replay says. */
export const replays = defineTable<DigestedReplay>({
  table: 'replays',
  time: { column: 'occurred_at', unit: 'ms' },
  rowId: "concat(replay_id, ':', leftPad(toString(segment_id), 10, '0'))",
  find: { by: 'replay_id', first: 'segment_id DESC' },
  filters: { replayId: 'replay_id', release: 'release', environment: 'environment' },
  columns: {
    replayId: text('replay_id'),
    segmentId: count('segment_id'),
    startedAt: nullableMillis('started_at'),
    occurredAt: millis('occurred_at'),
    replayType: text('replay_type'),
    urls: texts('urls'),
    errorIds: texts('error_ids'),
    traceIds: texts('trace_ids'),
    release: nullableText('release'),
    environment: nullableText('environment'),
    platform: text('platform'),
    userId: nullableText('user_id'),
    payload: json('payload'),
  },
});
