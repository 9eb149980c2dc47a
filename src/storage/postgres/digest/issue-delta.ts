import type { DigestedEvent } from '#protocol/event.ts';

/** What the events of one issue in one batch do to it. */
export type IssueDelta = {
  organizationId: number;
  projectId: number;
  /** Every hash that they are found by, in the order they came; the first is the first event's own. */
  hashes: readonly string[];
  /** First one in the order of the spool. */
  first: DigestedEvent;
  /** The one that happened last; of several, the last in the order of the spool. */
  newest: DigestedEvent;
  count: number;
  /** Milliseconds since the epoch. */
  firstSeen: number;
  lastSeen: number;
  firstRelease: string | null;
  lastRelease: string | null;
  /** Whether every event comes from another installation. */
  isImport: boolean;
  /** When an event of each release, or of none, was received last (milliseconds); imported ones aside. */
  receivedAt: ReadonlyMap<string | null, number>;
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
    hashes: mergeHashes(earlier.hashes, later.hashes),
    first: earlier.first,
    newest: isLaterNewest ? later.newest : earlier.newest,
    count: earlier.count + later.count,
    firstSeen: Math.min(earlier.firstSeen, later.firstSeen),
    lastSeen: Math.max(earlier.lastSeen, later.lastSeen),
    firstRelease: earlier.firstRelease ?? later.firstRelease,
    lastRelease: isLaterNewest
      ? (later.lastRelease ?? earlier.lastRelease)
      : (earlier.lastRelease ?? later.lastRelease),
    isImport: earlier.isImport && later.isImport,
    receivedAt: mergeReceived(earlier.receivedAt, later.receivedAt),
  };
}

function mergeHashes(earlier: readonly string[], later: readonly string[]): readonly string[] {
  return later.every((hash) => earlier.includes(hash)) ? earlier : [...new Set([...earlier, ...later])];
}

function mergeReceived(
  earlier: IssueDelta['receivedAt'],
  later: IssueDelta['receivedAt'],
): IssueDelta['receivedAt'] {
  const merged = new Map(earlier);
  for (const [release, ms] of later) merged.set(release, Math.max(ms, merged.get(release) ?? ms));
  return merged;
}

const deltaOf = (event: DigestedEvent): IssueDelta => ({
  organizationId: event.organizationId,
  projectId: event.projectId,
  hashes: event.groupingHashes,
  first: event,
  newest: event,
  count: 1,
  firstSeen: event.occurredAt,
  lastSeen: event.occurredAt,
  firstRelease: event.release,
  lastRelease: event.release,
  isImport: event.isImport === true,
  receivedAt: new Map(event.isImport ? [] : [[event.release, event.receivedAt]]),
});
