import { blobKey } from '#protocol/blob-key.ts';
import { parseEventId } from '#protocol/event-id.ts';
import { accepted, type DigestItem, discarded } from '../item.ts';
import { originOf } from '../telemetry/row-identity.ts';
import { readRecordingHeader } from './segment-id.ts';

/**
 * The recording of one segment of a replay, which its envelope names. It is kept as it was sent, compressed or not: the
 * SDK masks what is private. Source: relay-replays/src/recording.rs.
 */
export const digestReplayRecording: DigestItem = (item, context) => {
  const replayId = parseEventId(context.envelopeEventId);
  if (replayId === null) return discarded('replay', 'missing_replay_id');
  const bytes = item.blob?.bytes ?? item.payload.length;
  const segmentId = readRecordingHeader(item.head ?? item.payload, bytes);
  if (segmentId === null) return discarded('replay', 'invalid_replay_recording');
  const key = item.blob?.key ?? blobKey(context.receivedAtMs, context.projectId, item.itemId);
  return accepted(
    'replay',
    {
      replaySegments: [{ ...originOf(context), replayId, segmentId, kind: 'recording', bytes, blobKey: key }],
    },
    1,
    item.blob ? [] : [{ key, bytes: item.payload }],
  );
};
