import type { DigestedReplaySegment } from '#protocol/telemetry.ts';
import { count, text } from './columns.ts';
import { defineTable } from './telemetry-table.ts';

/** Where the recording of each segment lies. */
export const replaySegments = defineTable<DigestedReplaySegment>({
  table: 'replay_segments',
  time: { column: 'received_at', unit: 'ms' },
  rowId: "concat(replay_id, ':', leftPad(toString(segment_id), 10, '0'), ':', kind)",
  find: { by: 'replay_id', first: 'segment_id DESC' },
  filters: { replayId: 'replay_id' },
  columns: {
    replayId: text('replay_id'),
    segmentId: count('segment_id'),
    kind: text('kind'),
    bytes: count('bytes'),
    blobKey: text('blob_key'),
  },
});
