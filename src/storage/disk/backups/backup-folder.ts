import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { conflict, invalid, messageOf, unavailable } from '#lib/errors.ts';
import { describeOwner, hasDied } from '#lib/lock-owner.ts';
import { MINUTE_MS } from '#lib/time.ts';
import type { BackupTarget, BackupTargetFile } from '#storage/ports/backup-target.ts';

const NAME = /^[a-z]+(?:\/[a-z0-9][a-z0-9.-]*)+$/;
const TEMPORARY_PREFIX = '.writing-';
const LOCK = 'lock';
/** Whoever holds the lock says so this often; whoever was silent for the other time has died. */
const LOCK_TOUCH_MS = MINUTE_MS;
const LOCK_STALE_MS = 10 * MINUTE_MS;
const READ_BYTES = 1024 * 1024;

/** Backups as files below a folder, which is made when it is not there. Mode 0700 and 0600: they hold everything. */
export function openBackupFolder(folder: string): BackupTarget {
  const root = resolve(folder);
  const pathOf = (name: string): string => {
    if (!NAME.test(name)) throw invalid(`"${name.slice(0, 200)}" is not the name of a file of a backup`);
    return join(root, name);
  };
  return {
    place: root,

    async create() {
      await refusedBy(root, 'written', () => mkdir(root, { recursive: true, mode: 0o700 }));
      const temporary = join(root, `${TEMPORARY_PREFIX}${randomBytes(12).toString('hex')}`);
      const handle = await refusedBy(root, 'written', () => open(temporary, 'wx', 0o600));
      let isOpen = true;
      const abort = async () => {
        if (!isOpen) return;
        isOpen = false;
        await handle.close();
        await unlink(temporary).catch(() => {});
      };
      return {
        write: (chunk) =>
          refusedBy(root, 'written', async () => {
            for (let offset = 0; offset < chunk.length; ) {
              const { bytesWritten } = await handle.write(chunk, offset, chunk.length - offset);
              offset += bytesWritten;
            }
          }),
        finish: (name) =>
          refusedBy(root, 'written', async () => {
            const path = pathOf(name);
            await handle.sync();
            await handle.close();
            isOpen = false;
            await mkdir(dirname(path), { recursive: true, mode: 0o700 });
            await rename(temporary, path);
            for (let above = dirname(path); above.startsWith(root); above = dirname(above))
              await syncFolder(above);
          }),
        abort,
      };
    },

    async open(name) {
      const path = pathOf(name);
      const facts = await stat(path).catch(ignoreMissing);
      return facts?.isFile() ? createReadStream(path, { highWaterMark: READ_BYTES }) : null;
    },

    list: () => refusedBy(root, 'read', () => listFiles(root)),

    async delete(name) {
      // What was left half written is listed under its name too.
      const path = name.startsWith(TEMPORARY_PREFIX) ? join(root, name) : pathOf(name);
      await refusedBy(root, 'written', () => rm(path, { force: true }));
    },

    async lock() {
      await refusedBy(root, 'written', () => mkdir(root, { recursive: true, mode: 0o700 }));
      const path = join(root, LOCK);
      await refusedBy(root, 'written', () => takeLock(root, path));
      const timer = setInterval(() => {
        const now = new Date();
        utimes(path, now, now).catch(() => {});
      }, LOCK_TOUCH_MS);
      timer.unref();
      return {
        async release() {
          clearInterval(timer);
          await rm(path, { force: true });
        },
      };
    },
  };
}

/** Only where backups lie: a volume has folders of its own in its root, which only the system's user may enter. */
async function listFiles(root: string): Promise<readonly BackupTargetFile[]> {
  const entriesIn = async (folder: string) =>
    (await readdir(join(root, folder), { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  const groups = (await entriesIn('objects')).filter((entry) => entry.isDirectory());
  const files: BackupTargetFile[] = [];
  for (const folder of ['', 'backups/', 'objects/', ...groups.map(({ name }) => `objects/${name}/`)]) {
    for (const entry of await entriesIn(folder)) {
      const name = `${folder}${entry.name}`;
      if (entry.isDirectory() || name === LOCK) continue;
      const facts = await stat(join(root, name)).catch(ignoreMissing);
      if (facts) files.push({ name, bytes: facts.size });
    }
  }
  return files.sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function takeLock(root: string, path: string): Promise<void> {
  const content = await describeOwner();
  for (let tries = 0; ; tries++) {
    try {
      return await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const [owner, facts] = await Promise.all([
        readFile(path, 'utf8').catch(() => ''),
        stat(path).catch(() => null),
      ]);
      if (facts && tries === 0 && (Date.now() - facts.mtimeMs > LOCK_STALE_MS || (await hasDied(owner)))) {
        await rm(path, { force: true });
        continue;
      }
      throw conflict(
        `Another backup is being written to ${root}: wait until it is done, or choose another folder`,
      );
    }
  }
}

async function refusedBy<Result>(
  root: string,
  what: 'read' | 'written',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined || error instanceof TypeError) throw error;
    if ((error as Error).name === 'ErrataError') throw error;
    throw unavailable(`The backup folder ${root} could not be ${what}: ${messageOf(error)}`, error);
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignoreMissing(error: unknown): null {
  if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
  throw error;
}
