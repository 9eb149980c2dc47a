import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '#lib/errors.ts';
import { syncFolder } from './segment.ts';

/** Records of the command line that wait for the edge. */
const INBOX_RECORDS_MAX = 1_000;
const RECORD = /\.record$/;
/** Half a record that nobody has written on for so long was left by a process that died. */
const STALE_MS = 60 * 60_000;

const inboxFolder = (spoolFolder: string): string => join(spoolFolder, 'inbox');

/**
 * Hands a record to the process that writes the spool, which takes it in soon, or when it starts. Durable when it
 * resolves. For processes beside the edge: a spool has one writer. Rejects with ErrataError 'unavailable' when too many
 * wait.
 */
export async function putIntoInbox(spoolFolder: string, pieces: readonly Uint8Array[]): Promise<void> {
  const folder = inboxFolder(spoolFolder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await listRecords(folder)).length >= INBOX_RECORDS_MAX) {
    throw unavailable(
      `${INBOX_RECORDS_MAX} records are waiting to be imported: check that the server is running`,
    );
  }
  const path = join(folder, `${Date.now()}-${randomUUID()}`);
  try {
    const handle = await open(`${path}.tmp`, 'wx', 0o600);
    try {
      await handle.writeFile(Buffer.concat(pieces));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(`${path}.tmp`, `${path}.record`);
  } catch (error) {
    await unlink(`${path}.tmp`).catch(() => {});
    throw error;
  }
  syncFolder(folder);
}

/** What a process wrote that died before it was whole is no record. */
const listRecords = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((name) => RECORD.test(name));

/** The writer's side of the inbox. */
export class Inbox {
  readonly #folder: string;
  /** Files that the former writer took in, but died before it removed them. */
  readonly #taken = new Set<string>();
  readonly #leftovers = new Map<string, string[]>();
  #isBusy = false;

  constructor(spoolFolder: string) {
    this.#folder = inboxFolder(spoolFolder);
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(this.#folder)) {
      if (!RECORD.test(name)) {
        this.#removeStale(name);
        continue;
      }
      const hash = hashOf(readFileSync(join(this.#folder, name)));
      this.#leftovers.set(hash, [...(this.#leftovers.get(hash) ?? []), name]);
    }
  }

  /** Of a process that died over it; one that lives may write beside this one. */
  #removeStale(name: string): void {
    const path = join(this.#folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > STALE_MS) rmSync(path, { force: true });
  }

  /** Tells of a record that is in the spool already. */
  noteSpooled(record: Buffer): void {
    if (this.#leftovers.size === 0) return;
    const hash = hashOf(record);
    const [name, ...rest] = this.#leftovers.get(hash) ?? [];
    if (name === undefined) return;
    this.#taken.add(name);
    this.#leftovers.set(hash, rest);
  }

  /** Takes in what waits, one after the other; what `append` refuses stays for the next time. */
  async collect(append: (record: Buffer) => Promise<unknown>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      for (const name of (await readdir(this.#folder)).sort()) {
        if (!RECORD.test(name)) continue;
        const path = join(this.#folder, name);
        if (!this.#taken.has(name)) await append(readFileSync(path));
        this.#taken.add(name);
        await unlink(path);
        this.#taken.delete(name);
      }
    } catch {
      // A full spool or disk: the next round tries again.
    } finally {
      this.#isBusy = false;
    }
  }
}

/** Whether nothing waits for the writer. */
export async function isInboxEmpty(spoolFolder: string): Promise<boolean> {
  const folder = inboxFolder(spoolFolder);
  return !existsSync(folder) || (await listRecords(folder)).length === 0;
}

/** Records that wait, by their hash, for processes beside the writer. */
export function readInbox(spoolFolder: string): Map<string, Buffer> {
  const folder = inboxFolder(spoolFolder);
  const records = new Map<string, Buffer>();
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    if (!RECORD.test(name)) continue;
    try {
      const bytes = readFileSync(join(folder, name));
      records.set(hashOf(bytes), bytes);
    } catch {
      // Taken in since the folder was listed: it is in the spool.
    }
  }
  return records;
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
