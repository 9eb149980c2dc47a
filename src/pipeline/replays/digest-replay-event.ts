import { accepted, type DigestItem, discarded } from '../item.ts';
import { readReplay } from './read-replay.ts';

/** The event of one segment of a replay. */
export const digestReplayEvent: DigestItem = (item, context) => {
  const read = readReplay(item.payload, context);
  return read.kind === 'replay'
    ? accepted('replay', { replays: [read.row] })
    : discarded('replay', read.reason, read.kind);
};
