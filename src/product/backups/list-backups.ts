import { DamagedError } from '#lib/sealed-stream/sealed-stream.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import { BACKUP_NAME, type BackupHead, backupName, OBJECT_NAME } from './backup-format.ts';
import { readHead } from './manifest-file.ts';

export type ListedBackup =
  | { kind: 'sound'; id: string; head: BackupHead }
  /** Its own file is not as it was written. */
  | { kind: 'damaged'; id: string; reason: string };

/** Oldest first. The files that they need are not looked at. */
export async function listBackups(target: BackupTarget): Promise<readonly ListedBackup[]> {
  const ids = (await target.list()).flatMap(({ name }) => BACKUP_NAME.exec(name)?.[1] ?? []);
  return await Promise.all(
    ids.map(async (id): Promise<ListedBackup> => {
      try {
        return { kind: 'sound', id, head: await readHead(target, id) };
      } catch (error) {
        if (!(error instanceof DamagedError)) throw error;
        return { kind: 'damaged', id, reason: error.message };
      }
    }),
  );
}

export type PruneResult = {
  removed: readonly string[];
  /** Files that no backup needed any more. */
  files: number;
  bytes: number;
  /** Why files were left although backups went; null when they were not. */
  heldBack: string | null;
};

/**
 * Removes all but the newest `keep` backups, those that are damaged when `removesDamaged`, and then the files that none of
 * the others needs.
 */
export async function pruneBackups(
  target: BackupTarget,
  { keep, removesDamaged }: { keep: number; removesDamaged: boolean },
): Promise<PruneResult> {
  const lock = await target.lock();
  try {
    const all = await listBackups(target);
    const sound = all.filter(({ kind }) => kind === 'sound');
    const damaged = removesDamaged ? all.filter(({ kind }) => kind === 'damaged') : [];
    const removed = [...sound.slice(0, Math.max(0, sound.length - keep)), ...damaged].map(({ id }) => id);
    for (const id of removed) await target.delete(backupName(id));
    return { removed, ...(await removeUnreferenced(target)) };
  } finally {
    await lock.release();
  }
}

/** Also what a backup left that was killed. Under the lock of the target. */
export async function removeUnreferenced(target: BackupTarget): Promise<Omit<PruneResult, 'removed'>> {
  const backups = await listBackups(target);
  const damaged = backups.find(({ kind }) => kind === 'damaged');
  if (damaged) {
    const heldBack = `The backup ${damaged.id} is damaged, so it is not known which files it needs: remove it with --damaged`;
    return { files: 0, bytes: 0, heldBack };
  }
  const needed = neededObjects(backups);
  let [files, bytes] = [0, 0];
  for (const file of await target.list()) {
    const object = OBJECT_NAME.exec(file.name)?.[2];
    const isLeft = object ? !needed.has(object) : file.name.startsWith('.writing-');
    if (!isLeft) continue;
    await target.delete(file.name);
    files += 1;
    bytes += file.bytes;
  }
  return { files, bytes, heldBack: null };
}

export const neededObjects = (backups: readonly ListedBackup[]): ReadonlySet<string> =>
  new Set(
    backups.flatMap((backup) =>
      backup.kind === 'sound' ? backup.head.objects.map(([object]) => object) : [],
    ),
  );
