import { blobKey } from '#protocol/blob-key.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { DigestedReplaySegment } from '#protocol/telemetry.ts';
import {
  accepted,
  type DigestItem,
  discarded,
  type ItemContext,
  type ItemResult,
  type RawItem,
  storeBody,
} from '../item.ts';
import { originOf } from '../telemetry/row-identity.ts';
import { countClicks } from './count-clicks.ts';
import { readRecordingHeader, readReplay } from './read-replay.ts';
import { type ReplayVideoParts, recordingName, unpackReplayVideo, videoName } from './unpack-replay-video.ts';

/** The event of one segment of a replay. */
export const digestReplayEvent: DigestItem = (item, context) => {
  const read = readReplay(item.payload, context);
  return read.kind === 'replay'
    ? accepted('replay', { replays: [read.row] })
    : discarded('replay', read.reason, read.kind);
};

/**
 * The recording of one segment of a replay, which its envelope names. It is kept compressed or not, as it was sent, and
 * was scrubbed by then. Clicks are counted unless the body lies in a blob. Source: relay-replays/src/recording.rs.
 */
export const digestReplayRecording: DigestItem = (item, context) => {
  const replayId = parseEventId(context.envelopeEventId);
  if (replayId === null) return discarded('replay', 'missing_replay_id');
  if (item.bodyFate === 'discarded') return discarded('replay', 'replay_recording', 'filtered');
  if (item.bodyFate === 'unreadable') return discarded('replay', 'invalid_replay_recording');
  const { blobs, ...body } = storeBody(item, context);
  const segmentId = readRecordingHeader(item.head ?? item.payload, body.bytes);
  if (segmentId === null) return discarded('replay', 'invalid_replay_recording');
  return accepted(
    'replay',
    {
      replaySegments: [
        {
          ...originOf(context),
          replayId,
          segmentId,
          kind: 'recording',
          ...body,
          ...countClicks(item.payload),
        },
      ],
    },
    1,
    blobs,
  );
};

const HEAD_BYTES = 64 * 1024;

/**
 * A segment of a replay of a mobile app: its event, its recording and its video in one item.
 * Source: `expand_video` in relay-server/src/processing/replays/process.rs.
 */
export const digestReplayVideo: DigestItem = (item, context) => {
  if (item.bodyFate === 'discarded') return discarded('replay', 'replay_recording', 'filtered');
  if (item.bodyFate === 'unreadable') return discarded('replay', 'invalid_replay_video');
  const { parts, blobs } = partsOf(item, context);
  if (parts.kind === 'unreadable') return discarded('replay', 'invalid_replay_video');
  const read = readReplay(parts.event, context);
  if (read.kind !== 'replay') return discarded('replay', read.reason, read.kind);
  const segmentId = readRecordingHeader(parts.recordingHead, parts.recording.bytes);
  if (segmentId === null) return discarded('replay', 'invalid_replay_recording');
  const segment = (kind: DigestedReplaySegment['kind']): DigestedReplaySegment => ({
    ...originOf(context),
    replayId: read.row.replayId,
    segmentId: read.row.segmentId,
    kind,
    bytes: parts[kind].bytes,
    blobKey: parts[kind].key,
    deadClicks: 0,
    rageClicks: 0,
  });
  return accepted(
    'replay',
    { replays: [read.row], replaySegments: [segment('recording'), segment('video')] },
    1,
    blobs,
  );
};

function partsOf(
  item: RawItem,
  context: ItemContext,
): { parts: ReplayVideoParts; blobs: ItemResult['blobs'] } {
  if (item.videoParts) return { parts: item.videoParts, blobs: [] };
  const unpacked = item.blob ? null : unpackReplayVideo(item.payload);
  if (unpacked === null) return { parts: { kind: 'unreadable' }, blobs: [] };
  const keyOf = (name: string) => blobKey(context.receivedAtMs, context.projectId, name);
  const recording = { key: keyOf(recordingName(item.itemId)), bytes: unpacked.recording };
  const video = { key: keyOf(videoName(item.itemId)), bytes: unpacked.video };
  return {
    parts: {
      kind: 'parts',
      event: unpacked.event,
      recordingHead: unpacked.recording.subarray(0, HEAD_BYTES),
      recording: { key: recording.key, bytes: recording.bytes.length },
      video: { key: video.key, bytes: video.bytes.length },
    },
    blobs: [recording, video],
  };
}
