import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '#lib/errors.ts';
import { type DueBackupDeps, runDueBackup } from '#product/backups/run-due-backups.ts';

/** "Back up now" waits for so long at most. */
const LOOK_EVERY_MS = 2_000;
const RETRY_AFTER_MS = 15_000;

/**
 * Makes backups when they are due or asked for, until `signal` says stop; one that is under way is then given up. Not a
 * schedule of the job queue: a backup may take hours. `isHere` says whether this machine has what is to be backed up: the
 * spool and the files.
 */
export async function runBackupWorker(
  deps: DueBackupDeps & { isHere: () => boolean },
  signal: AbortSignal,
): Promise<void> {
  const wait = async (ms: number) => void (await delay(ms, undefined, { signal }).catch(() => {}));
  while (!signal.aborted) {
    try {
      if (deps.isHere() && (await runDueBackup(deps, signal))) continue;
      await wait(LOOK_EVERY_MS);
    } catch (error) {
      deps.log.warn({ error: messageOf(error) }, 'Backups could not be looked at; retrying');
      await wait(RETRY_AFTER_MS);
    }
  }
}
