import type { RetentionGroup } from '#protocol/retention.ts';
import type { StoredKind } from '#storage/ports/retention.ts';

/** Which group's days count for a kind of data. */
export const GROUP_OF_KIND: Readonly<Record<StoredKind, RetentionGroup>> = {
  events: 'errors',
  attachments: 'errors',
  feedback: 'errors',
  transactions: 'traces',
  spans: 'traces',
  logs: 'logs',
  metrics: 'metrics',
  sessions: 'sessions',
  checkIns: 'check_ins',
  replays: 'replays',
  replaySegments: 'replays',
  profiles: 'profiles',
};

/**
 * Rows that go when the blobs of their day do. Replays name no blob themselves, but are nothing without the segments that
 * they list.
 */
export const KINDS_DROPPED_WITH_BLOBS: readonly StoredKind[] = [
  'attachments',
  'replaySegments',
  'replays',
  'profiles',
];

/** Groups whose data has bodies in the blob store. */
export const GROUPS_WITH_BLOBS: readonly RetentionGroup[] = ['errors', 'replays', 'profiles'];
