import { DAY_MS } from '#lib/time.ts';
import type { DigestedCheckIn } from '#protocol/telemetry.ts';

/** In place of an id: whoever sent it knows none. */
export const NO_ID = '0'.repeat(32);

/** A check-in without an id ends one that began at most this long before. */
export const PAIRED_WITHIN_MS = DAY_MS;

/** What is known of check-ins whose end was sent without an id. */
export type PairedCheckIns = {
  /** By name of the check-in that ended. */
  ends: ReadonlyMap<string, DigestedCheckIn>;
  /** Names of updates that are the end of an earlier check-in, and none of their own. */
  isEnd: ReadonlySet<string>;
};

/** Updates of the same name make one check-in, those without an id each one of their own. */
export const nameOfCheckIn = (update: DigestedCheckIn): string => {
  const { projectId, monitorSlug, environment, checkInId, occurredAt, status } = update;
  return checkInId === NO_ID
    ? JSON.stringify([projectId, monitorSlug, environment, occurredAt, status])
    : nameById(update);
};

export const nameById = ({
  projectId,
  monitorSlug,
  checkInId,
}: Pick<DigestedCheckIn, 'projectId' | 'monitorSlug' | 'checkInId'>): string =>
  JSON.stringify([projectId, monitorSlug, checkInId]);

/**
 * An update without an id that says how a job ended is about the latest check-in of its monitor and environment that is
 * still in progress, as at Sentry; without one, it is a check-in of its own. The same updates give the same pairs,
 * whenever and however often they were stored.
 */
export function pairCheckIns(updates: readonly DigestedCheckIn[]): PairedCheckIns {
  const ends = new Map<string, DigestedCheckIn>();
  const isEnd = new Set<string>();
  const ended = new Set<string>();
  const openByMonitor = new Map<string, DigestedCheckIn[]>();
  for (const update of [...updates].sort(byTime)) {
    const { projectId, monitorSlug, environment, checkInId, status, occurredAt } = update;
    const name = nameOfCheckIn(update);
    const monitor = JSON.stringify([projectId, monitorSlug, environment]);
    const open = openByMonitor.get(monitor) ?? [];
    openByMonitor.set(monitor, open);
    if (status === 'in_progress') {
      if (!ended.has(name) && !open.some((each) => nameOfCheckIn(each) === name)) open.push(update);
      continue;
    }
    if (checkInId !== NO_ID) {
      ended.add(name);
      const at = open.findIndex((each) => nameOfCheckIn(each) === name);
      if (at !== -1) open.splice(at, 1);
      continue;
    }
    const latest = open.at(-1);
    if (!latest || occurredAt - latest.occurredAt > PAIRED_WITHIN_MS) continue;
    open.pop();
    ends.set(nameOfCheckIn(latest), update);
    isEnd.add(name);
  }
  return { ends, isEnd };
}

/** What begins in the same millisecond in which something ends, began before. */
const byTime = (a: DigestedCheckIn, b: DigestedCheckIn): number =>
  a.occurredAt - b.occurredAt || Number(a.status !== 'in_progress') - Number(b.status !== 'in_progress');
