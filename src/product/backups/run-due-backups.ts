import { messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import { isBackupDue } from './backup-age.ts';
import type { BackupRun, BackupStore } from './backup-store.ts';
import type { BackupParts } from './create-backup.ts';
import { pruneBackups } from './list-backups.ts';
import { runClaimed, SILENT_MS_MAX } from './run-backup.ts';

/** Runs that are looked at for those of the schedule. */
const RUNS_LOOKED_AT = 50;

export type DueBackupDeps = {
  backups: BackupStore;
  openFolder: (folder: string) => Promise<BackupTarget>;
  /** Throws Invalid when the operator's key cannot be read. */
  readKeys: () => BackupKeys | null;
  openParts: (options: { withSecrets: boolean }) => BackupParts;
  now: () => number;
  log: Log;
};

/** Makes the backup that is due or was asked for, and removes those that are one too many. Answers whether there was one. */
export async function runDueBackup(deps: DueBackupDeps, signal: AbortSignal): Promise<boolean> {
  const { backups, now, log } = deps;
  const died = await backups.failSilent(now() - SILENT_MS_MAX, now());
  if (died > 0) log.warn({ backups: died }, 'A backup was interrupted');
  const schedule = await backups.readSchedule();
  const scheduled = (await backups.listRuns(RUNS_LOOKED_AT)).filter(({ origin }) => origin === 'schedule');
  if (schedule.folder !== null && isBackupDue(schedule, scheduled, now())) {
    await backups.request({ origin: 'schedule', folder: schedule.folder, requestedBy: null }, now());
  }
  const run = await backups.claim(now());
  if (!run) return false;
  await make(deps, run, schedule.keep, signal);
  return true;
}

async function make(deps: DueBackupDeps, run: BackupRun, keep: number, signal: AbortSignal): Promise<void> {
  const { backups, openFolder, readKeys, openParts, now, log } = deps;
  const { id, folder, origin } = run;
  log.info({ folder, origin }, 'A backup begins');
  try {
    const target = await openFolder(folder);
    const keys = readKeys();
    // What opens everything is kept apart from a backup that anybody can read.
    const parts = () => openParts({ withSecrets: keys !== null });
    const { head, pausedMs } = await runClaimed(
      { runs: backups, openParts: parts, target, keys, now, signal },
      id,
    );
    log.info(
      { backup: head.id, events: head.events, newBytes: head.newBytes, pausedMs },
      'A backup was made',
    );
    const { removed, heldBack } = await pruneBackups(target, { keep, removesDamaged: false });
    if (removed.length > 0) log.info({ removed }, 'Old backups were removed');
    if (heldBack !== null) log.warn({ folder, reason: heldBack }, 'Files of old backups were not removed');
  } catch (error) {
    await backups.fail(id, messageOf(error), now()).catch(() => {});
    log.error({ folder, error: messageOf(error) }, 'A backup failed: see Settings > Backups');
  }
}
