import { createHash } from 'node:crypto';
import type { BackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { DamagedError, openStream, sealStream } from '#lib/sealed-stream/sealed-stream.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import {
  BACKUP_CONTENT,
  BACKUP_HEAD,
  BACKUP_NAME,
  type BackupContent,
  type BackupHead,
  backupName,
  piecesOf,
} from './backup-format.ts';

/**
 * The file of a backup: the SHA-256 of all that follows, in hex, on a line of its own; the head as JSON on a line; the content
 * as JSON, compressed, and encrypted if everything is. It is written last: without it there is no backup.
 */
const HASH_CHARACTERS = 64;
const NEWLINE = 0x0a;
/** Of a file: some hundred thousand partitions and packs. */
const MANIFEST_BYTES_MAX = 256 * 1024 * 1024;

export async function writeManifest(
  target: BackupTarget,
  head: BackupHead,
  content: BackupContent,
  keys: BackupKeys | null,
): Promise<void> {
  const parts: Buffer[] = [Buffer.from(`${JSON.stringify(head)}\n`)];
  const json = Buffer.from(JSON.stringify(content));
  for await (const chunk of sealStream(once(json), { keys, isCompressed: true })) parts.push(chunk);
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  const writer = await target.create();
  try {
    await writer.write(Buffer.from(`${hash.digest('hex')}\n`));
    for (const part of parts) await writer.write(part);
    await writer.finish(backupName(head.id));
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** The head alone. Throws DamagedError. */
export async function readHead(target: BackupTarget, id: string): Promise<BackupHead> {
  return (await readFile(target, id)).head;
}

/** Throws DamagedError, also when the key is missing or another one. */
export async function readManifest(
  target: BackupTarget,
  id: string,
  keys: BackupKeys | null,
): Promise<{ head: BackupHead; content: BackupContent }> {
  const { head, body } = await readFile(target, id);
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of openStream(once(body), keys)) chunks.push(chunk);
  } catch (error) {
    throw new DamagedError(`The backup ${id} cannot be read: ${(error as Error).message}`);
  }
  const content = BACKUP_CONTENT.safeParse(parse(Buffer.concat(chunks)));
  if (!content.success) throw new DamagedError(`The backup ${id} is damaged: its content is not complete`);
  const named = new Map(head.objects);
  const pieces = piecesOf(content.data);
  if (named.size !== pieces.length || pieces.some(({ object, bytes }) => named.get(object) !== bytes)) {
    throw new DamagedError(`The backup ${id} is damaged: its two lists of files differ`);
  }
  return { head, content: content.data };
}

async function readFile(target: BackupTarget, id: string): Promise<{ head: BackupHead; body: Buffer }> {
  const source = BACKUP_NAME.test(backupName(id)) ? await target.open(backupName(id)) : null;
  if (!source) throw new DamagedError(`There is no backup ${id} in ${target.place}`);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > MANIFEST_BYTES_MAX) throw new DamagedError(`The backup ${id} is damaged: it is too long`);
    chunks.push(chunk);
  }
  const file = Buffer.concat(chunks);
  const signed = file.subarray(HASH_CHARACTERS + 1);
  const hash = createHash('sha256').update(signed).digest('hex');
  if (file.toString('latin1', 0, HASH_CHARACTERS + 1) !== `${hash}\n`) {
    throw new DamagedError(`The backup ${id} is damaged: its hash is another one`);
  }
  const end = signed.indexOf(NEWLINE);
  const head = BACKUP_HEAD.safeParse(parse(signed.subarray(0, end)));
  if (!head.success || head.data.id !== id) {
    throw new DamagedError(`The backup ${id} is of a format that this version does not know`);
  }
  return { head: head.data, body: signed.subarray(end + 1) };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
