import { createHash } from 'node:crypto';
import { isErrataError } from '#lib/errors.ts';
import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { DamagedError } from '#lib/sealed-stream/sealed-stream.ts';
import type { BackupTarget, BackupTargetFile } from '#storage/ports/backup-target.ts';
import { BACKUP_NAME, type BackupHead, OBJECT_NAME, objectName, piecesOf } from './backup-format.ts';
import { listBackups, neededObjects } from './list-backups.ts';
import { readHead, readManifest } from './manifest-file.ts';
import { readPiece } from './pieces.ts';

export type Verification = {
  id: string;
  /** null when even the head cannot be read. */
  head: BackupHead | null;
  /** Files that were read to their end. */
  files: number;
  bytes: number;
  /** Empty: everything is as it was written. */
  problems: readonly string[];
  /** What else is wrong in the same place, of which this backup needs nothing: files of none, other backups that are damaged. */
  strays: readonly string[];
  /** Whether the contents were looked at too; without the key only what is stored. */
  hasOpened: boolean;
};

/** Problems, and strays, that are listed; there may be more. */
const PROBLEMS_MAX = 50;

/**
 * Reads every file of a backup and compares its length and hash; with its key it is opened as well, and what is in it compared.
 * Files in the same place that belong to no backup are named: they may be what is missing elsewhere.
 */
export async function verifyBackup(
  target: BackupTarget,
  id: string,
  keys: BackupKeys | null,
  onBytes: (done: number, total: number) => void = () => {},
): Promise<Verification> {
  const problems: string[] = [];
  let [files, bytes] = [0, 0];
  const note = (error: unknown) => {
    if (!(error instanceof DamagedError)) throw error;
    if (problems.length < PROBLEMS_MAX) problems.push(error.message);
  };
  const head = await readHead(target, id).catch((error: unknown) => {
    note(error);
    return null;
  });
  if (!head) return { id, head, files, bytes, problems, strays: [], hasOpened: false };
  const mayOpen = keys !== null || !head.isEncrypted;
  const manifest = mayOpen ? await readManifest(target, id, keys).catch(note) : undefined;
  const pieces = new Map(manifest ? piecesOf(manifest.content).map((piece) => [piece.object, piece]) : []);
  const stored = await target.list();
  const lengths = new Map(stored.map((file) => [file.name, file.bytes]));
  const total = head.objects.reduce((sum, [, length]) => sum + length, 0);
  for (const [object, length] of head.objects) {
    const name = objectName(object);
    const found = lengths.get(name);
    if (found === undefined) note(new DamagedError(`The file ${name} is missing`));
    else if (found !== length)
      note(new DamagedError(`The file ${name} is damaged: it has ${found} bytes, not ${length}`));
    else {
      const piece = pieces.get(object);
      try {
        if (piece) for await (const _ of readPiece(target, piece, keys));
        else await compareHash(target, object);
        files += 1;
      } catch (error) {
        note(error);
      }
    }
    bytes += length;
    onBytes(bytes, total);
  }
  const strays = await findStrays(target, stored, id);
  return { id, head, files, bytes, problems, strays, hasOpened: manifest !== undefined };
}

/** None is known while another backup is being written: its files belong to none yet. */
async function findStrays(
  target: BackupTarget,
  stored: readonly BackupTargetFile[],
  id: string,
): Promise<readonly string[]> {
  if (await isBeingWritten(target)) return [];
  const backups = await listBackups(target);
  const damaged = backups.filter((backup) => backup.kind === 'damaged' && backup.id !== id);
  const needed = neededObjects(backups);
  const foreign = stored.filter(({ name }) => {
    const object = OBJECT_NAME.exec(name)?.[2];
    // Which files a damaged backup needs is not known.
    if (object !== undefined) return damaged.length === 0 && !needed.has(object);
    return !BACKUP_NAME.test(name);
  });
  return [
    ...damaged.map((other) => `The backup ${other.id} in the same folder is damaged`),
    ...foreign.map(
      ({ name }) =>
        `The file ${name} belongs to no backup: remove it, or let errata backup prune remove what a backup left that was interrupted`,
    ),
  ].slice(0, PROBLEMS_MAX);
}

/** Then files are there that belong to a backup that is not done. */
async function isBeingWritten(target: BackupTarget): Promise<boolean> {
  try {
    await (await target.lock()).release();
    return false;
  } catch (error) {
    if (isErrataError(error) && error.code === 'conflict') return true;
    // A folder that can only be read is written by nobody here.
    if (isErrataError(error) && error.code === 'unavailable') return false;
    throw error;
  }
}

async function compareHash(target: BackupTarget, object: string): Promise<void> {
  const source = await target.open(objectName(object));
  if (!source) throw new DamagedError(`The file ${objectName(object)} is missing`);
  const hash = createHash('sha256');
  for await (const chunk of source) hash.update(chunk);
  if (hash.digest('hex') !== object) {
    throw new DamagedError(`The file ${objectName(object)} is damaged: it is not as it was written`);
  }
}
