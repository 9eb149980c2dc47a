import type { DigestedEvent } from '#protocol/event.ts';

/** What the events of one grouping hash in one batch do to their issue. */
export type IssueDelta = {
  organizationId: number;
  projectId: number;
  hashes: readonly string[];
  /** First one in the order of the spool. */
  first: DigestedEvent;
  /** The one that happened last; of several, the last in the order of the spool. */
  newest: DigestedEvent;
  count: number;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  lastSeen: number;
  lastReceivedAt: number;
  firstRelease: string | null;
  lastRelease: string | null;
};

/** One entry per project and grouping hash, in the order of the spool. */
export function foldEvents(events: readonly DigestedEvent[]): IssueDelta[] {
  const deltas = new Map<string, IssueDelta>();
  for (const event of events) {
    const key = hashKey(event.projectId, event.groupingHash);
    const known = deltas.get(key);
    deltas.set(key, known ? mergeDeltas(known, deltaOf(event)) : deltaOf(event));
  }
  return [...deltas.values()];
}

export const hashKey = (projectId: number, hash: string): string => `${projectId}:${hash}`;

/** Both belong to one issue; `earlier` stands before `later` in the spool. */
export function mergeDeltas(earlier: IssueDelta, later: IssueDelta): IssueDelta {
  const isLaterNewest = later.newest.occurredAt >= earlier.newest.occurredAt;
  return {
    organizationId: earlier.organizationId,
    projectId: earlier.projectId,
    hashes: [...new Set([...earlier.hashes, ...later.hashes])],
    first: earlier.first,
    newest: isLaterNewest ? later.newest : earlier.newest,
    count: earlier.count + later.count,
    firstSeen: Math.min(earlier.firstSeen, later.firstSeen),
    lastSeen: Math.max(earlier.lastSeen, later.lastSeen),
    lastReceivedAt: Math.max(earlier.lastReceivedAt, later.lastReceivedAt),
    firstRelease: earlier.firstRelease ?? later.firstRelease,
    lastRelease: isLaterNewest
      ? (later.lastRelease ?? earlier.lastRelease)
      : (earlier.lastRelease ?? later.lastRelease),
  };
}

const deltaOf = (event: DigestedEvent): IssueDelta => ({
  organizationId: event.organizationId,
  projectId: event.projectId,
  hashes: [event.groupingHash],
  first: event,
  newest: event,
  count: 1,
  firstSeen: event.occurredAt,
  lastSeen: event.occurredAt,
  lastReceivedAt: event.receivedAt,
  firstRelease: event.release,
  lastRelease: event.release,
});
