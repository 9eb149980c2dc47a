import type { Archive, Resolution, ReturnReason } from '#storage/ports/issue-states.ts';

/** Less than zero when the first release is older. */
export type ReleaseOrder = (release: string, other: string) => number;

/**
 * Whether an event of that release, received after the issue was resolved, shows that it is not fixed. Where there is
 * no release to compare, any event does.
 */
export function isRegression(resolution: Resolution, release: string | null, order: ReleaseOrder): boolean {
  switch (resolution.kind) {
    case 'now':
      return true;
    case 'release':
      return release === null || order(release, resolution.release) >= 0;
    case 'next_release':
      return release === null || order(release, resolution.after) > 0;
    // Until it is known which release holds the commit, every event may be of one without it.
    case 'commit':
      return false;
  }
}

/** The release of an event that makes the issue a regression; undefined when none does. */
export function findRegression(
  resolved: { resolution: Resolution; resolvedAtMs: number },
  receivedAt: ReadonlyMap<string | null, number>,
  order: ReleaseOrder,
): string | null | undefined {
  for (const [release, receivedMs] of receivedAt) {
    if (receivedMs > resolved.resolvedAtMs && isRegression(resolved.resolution, release, order))
      return release;
  }
  return undefined;
}

/** Why an archived issue escalates with the event that makes its count `timesSeen`; null while it does not. */
export function findEscalation(
  archived: {
    archive: Archive;
    escalatesAtTimesSeen: number | null;
    /** Milliseconds; null for good. */
    escalatesBeforeMs: number | null;
  },
  timesSeen: number,
  nowMs: number,
): ReturnReason | null {
  const { archive, escalatesAtTimesSeen, escalatesBeforeMs } = archived;
  if (escalatesAtTimesSeen === null || timesSeen < escalatesAtTimesSeen) return null;
  if (escalatesBeforeMs !== null && nowMs >= escalatesBeforeMs) return null;
  const { condition, forecast = 0 } = archive;
  if (condition.kind === 'events') return { ...condition };
  // The count that was set is the first one beyond the forecast.
  return { kind: 'forecast', forecast, events: forecast + 1 + timesSeen - escalatesAtTimesSeen };
}
