import { messageOf } from '#lib/errors.ts';
import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import type { BackupOrigin, BackupStore } from './backup-store.ts';
import { type BackupParts, type BackupProgress, type CreatedBackup, createBackup } from './create-backup.ts';

type RunDeps = {
  runs: BackupStore;
  openParts: () => BackupParts;
  target: BackupTarget;
  keys: BackupKeys | null;
  now: () => number;
  signal?: AbortSignal;
};

/** How often a run says how far it is. */
const NOTE_EVERY_MS = 1_000;
/** A run that says nothing for so long has died. */
export const SILENT_MS_MAX = 5 * MINUTE_MS;

/** Makes a backup, and notes for everybody how far it is and what becomes of it. */
export async function recordedBackup(
  deps: RunDeps,
  origin: { origin: BackupOrigin; requestedBy: string | null },
  onProgress: (progress: BackupProgress) => void = () => {},
): Promise<CreatedBackup> {
  const id = await deps.runs.begin({ ...origin, folder: deps.target.place }, deps.now());
  return await runClaimed(deps, id, onProgress);
}

/** As `recordedBackup`, of one that was begun. */
export async function runClaimed(
  { runs, openParts, target, keys, now, signal }: RunDeps,
  id: number,
  onProgress: (progress: BackupProgress) => void = () => {},
): Promise<CreatedBackup> {
  let progress: BackupProgress = { step: 'pause', done: 0, total: null, bytes: 0 };
  const timer = setInterval(() => {
    runs.note(id, progress, now()).catch(() => {});
  }, NOTE_EVERY_MS);
  try {
    const created = await createBackup(openParts(), target, {
      keys,
      now,
      signal,
      onProgress(next) {
        progress = { ...next };
        onProgress(progress);
      },
    });
    clearInterval(timer);
    await runs.finish(id, created.head, created.pausedMs, now());
    return created;
  } catch (error) {
    clearInterval(timer);
    await runs.fail(id, messageOf(error), now()).catch(() => {});
    throw error;
  }
}
