import { isAbsolute, normalize } from 'node:path';
import { type BucketAddress, parseBlobAddress } from '#lib/blob-address.ts';
import { invalid, messageOf } from '#lib/errors.ts';
import { isInstanceOwner, requireInstanceOwner, userIdOf } from '#product/acting-user.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { type BackupAge, describeBackupAge, readBackupAge } from './backup-age.ts';
import type { BackupRun, BackupSchedule } from './backup-store.ts';

const RUNS_SHOWN = 50;
export const KEEP_MAX = 1_000;
const FOLDER_CHARACTERS_MAX = 1_000;
const MINUTES_A_DAY = 24 * 60;

export type BackupOverview = {
  schedule: BackupSchedule;
  /** Newest first. */
  runs: readonly BackupRun[];
  /** The one that waits or is being made; null when none is. */
  current: BackupRun | null;
  age: BackupAge;
};

/** When backups are made, and what became of them. For the instance's owner. */
export async function getBackupOverview(ctx: Context): Promise<BackupOverview> {
  requireInstanceOwner(ctx);
  const { backups } = ctx.stores;
  const [schedule, runs, lastGood] = await Promise.all([
    backups.readSchedule(),
    backups.listRuns(RUNS_SHOWN),
    backups.findLastGood(),
  ]);
  return {
    schedule,
    runs,
    current: runs.find(({ state }) => state === 'running' || state === 'waiting') ?? null,
    age: describeBackupAge({ schedule, lastGood, last: runs[0] ?? null, nowMs: ctx.now() }),
  };
}

/** What is wrong with scheduled backups, as the beginning of a sentence; null while they are made, and for everybody else. */
export async function findOverdueBackup(ctx: Context): Promise<string | null> {
  if (!isInstanceOwner(ctx)) return null;
  const { backups } = ctx.stores;
  if (!(await backups.readSchedule()).isOn) return null;
  const { level, detail } = await readBackupAge(backups, ctx.now());
  return level === 'ok' ? null : `${detail.charAt(0).toUpperCase()}${detail.slice(1)}`;
}

/** Sets when backups are made and how many stay. Throws Invalid, naming the field. */
export async function updateBackupSchedule(ctx: Context, change: BackupSchedule): Promise<void> {
  requireInstanceOwner(ctx);
  const folder = change.folder?.trim() ? checkFolder(change.folder.trim()) : null;
  if (change.isOn && folder === null) throw invalid('Enter the folder that backups are written to', 'folder');
  const { minuteOfDay, keep } = change;
  if (!Number.isInteger(minuteOfDay) || minuteOfDay < 0 || minuteOfDay >= MINUTES_A_DAY) {
    throw invalid('Enter a time of day, for example 03:00', 'time');
  }
  if (!Number.isInteger(keep) || keep < 1 || keep > KEEP_MAX) {
    throw invalid(`Enter how many backups stay, from 1 to ${KEEP_MAX.toLocaleString('en')}`, 'keep');
  }
  const schedule = { isOn: change.isOn, folder, minuteOfDay, keep };
  await audited(
    ctx,
    (within) => within.stores.backups.saveSchedule(schedule),
    () => ({ action: 'org.backups.edit', target: organizationTarget(ctx), data: { ...schedule } }),
  );
}

function checkFolder(given: string): string {
  if (given.length <= FOLDER_CHARACTERS_MAX) {
    if (parseBackupBucket(given) !== null) return given;
    if (isAbsolute(given)) return normalize(given);
  }
  throw invalid(
    'Enter the full path of a folder on the server, for example /var/backups/errata, or s3://bucket/prefix',
    'folder',
  );
}

/** null for what names no bucket. Throws Invalid for an address that cannot be read. */
export function parseBackupBucket(folder: string): BucketAddress | null {
  if (!folder.startsWith('s3:')) return null;
  try {
    const address = parseBlobAddress(folder);
    if (address.kind === 'bucket') return address;
  } catch (error) {
    throw invalid(`The bucket of backups cannot be used: ${messageOf(error)}`, 'folder');
  }
  return null;
}

/** Asks for a backup, which the jobs role begins within seconds. Throws Invalid without a folder, or when one waits. */
export async function requestBackup(ctx: Context): Promise<void> {
  requireInstanceOwner(ctx);
  await audited(
    ctx,
    async (within) => {
      const { folder } = await within.stores.backups.readSchedule();
      if (folder === null) throw invalid('Save the folder that backups are written to first');
      const run = { origin: 'request' as const, folder, requestedBy: userIdOf(within) };
      if (!(await within.stores.backups.request(run, within.now()))) {
        throw invalid('A backup is already waiting to be made');
      }
    },
    () => ({ action: 'org.backups.request', target: organizationTarget(ctx) }),
  );
}
