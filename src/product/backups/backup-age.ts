import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import type { BackupRun, BackupSchedule, BackupStore, SavedSchedule } from './backup-store.ts';

/** A day, and time to make it. */
const AGE_MS_MAX = 2 * DAY_MS;
/** What is to be made, or is being made, is heard of sooner; then no machine does. */
const UNHEARD_MS_MAX = HOUR_MS;
/** Tries of one turn of the schedule, and how long it is between them. */
const TRIES_MAX = 3;
const TRY_AGAIN_MS = HOUR_MS;

export type BackupAge = {
  level: 'ok' | 'warning';
  detail: string;
  /** null when it is well. */
  next: string | null;
};

/** Whether the last good backup is recent enough, in words. Backups of the command line count as well. */
export async function readBackupAge(backups: BackupStore, nowMs: number): Promise<BackupAge> {
  const [schedule, lastGood, [last]] = await Promise.all([
    backups.readSchedule(),
    backups.findLastGood(),
    backups.listRuns(1),
  ]);
  return describeBackupAge({ schedule, lastGood, last: last ?? null, nowMs });
}

export function describeBackupAge({
  schedule,
  lastGood,
  last,
  nowMs,
}: {
  schedule: Pick<SavedSchedule, 'isOn' | 'savedAt'>;
  lastGood: Pick<BackupRun, 'momentAt'> | null;
  /** The newest, whatever became of it. */
  last: Pick<BackupRun, 'state' | 'error' | 'createdAt' | 'beatAt'> | null;
  nowMs: number;
}): BackupAge {
  const ageMs = lastGood?.momentAt == null ? null : nowMs - lastGood.momentAt;
  const isPending = last?.state === 'waiting' || last?.state === 'running';
  const heardOfAt = last ? (last.beatAt ?? last.createdAt) : (schedule.savedAt ?? nowMs);
  const isSilent = (isPending || last === null) && nowMs - heardOfAt > UNHEARD_MS_MAX;
  const failure = last?.state === 'failed' && last.error ? `; the last try failed: ${last.error}` : '';
  const trouble =
    isPending && isSilent
      ? `; the next one has been ${last.state} without progress for ${describeAge(nowMs - heardOfAt)}`
      : failure;
  const next = isSilent ? RUN_JOBS : MEND;
  if (ageMs !== null && ageMs <= AGE_MS_MAX) {
    const level = trouble === '' ? 'ok' : 'warning';
    return {
      level,
      detail: `the last good one is ${describeAge(ageMs)} old${trouble}`,
      next: level === 'ok' ? null : next,
    };
  }
  const what = ageMs === null ? 'there is no good backup' : `the last good one is ${describeAge(ageMs)} old`;
  if (schedule.isOn) {
    // The first one may be under way.
    if (ageMs === null && !isSilent && (isPending || last === null))
      return { level: 'ok', detail: 'the first one is to come', next: null };
    return { level: 'warning', detail: `${what}${trouble}`, next };
  }
  return {
    level: 'warning',
    detail: `${what}${trouble}, and no schedule makes one`,
    next: 'Turn on backups under Settings > Backups, or run errata backup create every day',
  };
}

const MEND = 'See the history under Settings > Backups, and mend what failed';

const RUN_JOBS = 'Run the jobs role on the machine that takes events in: it makes backups';

function describeAge(ms: number): string {
  if (ms < HOUR_MS) return `${Math.max(0, Math.round(ms / MINUTE_MS))} minutes`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} hours` : `${Math.round(ms / DAY_MS)} days`;
}

/** When the schedule had its last turn, in milliseconds since the epoch. */
export function lastTurn({ minuteOfDay }: Pick<BackupSchedule, 'minuteOfDay'>, nowMs: number): number {
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS + minuteOfDay * MINUTE_MS;
  return today <= nowMs ? today : today - DAY_MS;
}

/** Whether a backup of the schedule is to be made now: none was since its last turn, or those that were have failed. */
export function isBackupDue(
  schedule: BackupSchedule,
  /** Of the schedule, newest first. */
  runs: readonly Pick<BackupRun, 'createdAt' | 'state' | 'finishedAt'>[],
  nowMs: number,
): boolean {
  if (!schedule.isOn || schedule.folder === null) return false;
  const tries = runs.filter(({ createdAt }) => createdAt >= lastTurn(schedule, nowMs));
  const [newest] = tries;
  if (!newest) return true;
  if (newest.state !== 'failed' || tries.length >= TRIES_MAX) return false;
  return nowMs - (newest.finishedAt ?? newest.createdAt) >= TRY_AGAIN_MS;
}
