import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { conflict } from '#lib/errors.ts';
import {
  FILES_FOLDER,
  fileOfKind,
  MANIFEST_FILE,
  type TransferManifest,
} from '#product/transfer/folder-format.ts';
import type { TransferFile } from '#product/transfer/record-parts.ts';
import { TRANSFER_FORMAT, type TransferKind, type TransferRecord } from '#product/transfer/records.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';

/** Lines that wait to be written. */
const BUFFER_BYTES_MAX = 1024 * 1024;

export type FolderHead = Pick<TransferManifest, 'source' | 'from' | 'to'>;

/** Writes records of a kind after those of another, each kind into a file of its own, and the files that they name. */
export async function writeFolder(
  folder: string,
  head: FolderHead,
  records: AsyncIterable<TransferRecord>,
  blobs: Pick<BlobStore, 'read'>,
  now: () => number,
): Promise<TransferManifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0) throw conflict(`${folder} is not empty: name an empty folder`);
  const startedAt = new Date(now()).toISOString();
  const files: TransferManifest['files'] = [];
  const attachments = { files: 0, bytes: 0 };
  let current: RecordFile | null = null;
  try {
    for await (const record of records) {
      if (current?.kind !== record.kind) {
        if (current) files.push(await current.finish());
        current = await RecordFile.open(folder, record.kind);
      }
      await current.write(await writeFiles(folder, record, blobs, attachments));
    }
    if (current) files.push(await current.finish());
  } catch (error) {
    await current?.close();
    throw error;
  }
  const manifest: TransferManifest = {
    format: 'errata-transfer',
    version: TRANSFER_FORMAT,
    ...head,
    startedAt,
    finishedAt: new Date(now()).toISOString(),
    files,
    attachments,
  };
  await writeDurably(join(folder, MANIFEST_FILE), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/** Files that are gone meanwhile are left out of the record. */
async function writeFiles(
  folder: string,
  record: TransferRecord,
  blobs: Pick<BlobStore, 'read'>,
  written: { files: number; bytes: number },
): Promise<TransferRecord> {
  const write = async (file: TransferFile): Promise<TransferFile | null> => {
    const copied = await copyBlob(folder, file.path, blobs);
    if (copied === null) return null;
    written.files += 1;
    written.bytes += copied.bytes;
    return copied;
  };
  if (record.kind === 'row' && record.file) return { ...record, file: await write(record.file) };
  if (record.kind !== 'event' || record.attachments.length === 0) return record;
  const kept: (typeof record)['attachments'] = [];
  for (const attachment of record.attachments) {
    const file = await write(attachment.file);
    if (file) kept.push({ ...attachment, file });
  }
  return { ...record, attachments: kept };
}

/** null when there is no such blob any more. */
async function copyBlob(
  folder: string,
  path: string,
  blobs: Pick<BlobStore, 'read'>,
): Promise<TransferFile | null> {
  const content = await blobs.read(path.slice(FILES_FOLDER.length + 1));
  if (content === null) return null;
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  await pipeline(
    content,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    },
    createWriteStream(target, { flags: 'w', mode: 0o600 }),
  );
  return { path, bytes, sha256: hash.digest('hex') };
}

class RecordFile {
  readonly kind: TransferKind;
  readonly #name: string;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #lines: string[] = [];
  #waiting = 0;
  #records = 0;
  #bytes = 0;

  private constructor(kind: TransferKind, folder: string, handle: FileHandle) {
    this.kind = kind;
    this.#name = fileOfKind(kind);
    this.#path = join(folder, this.#name);
    this.#handle = handle;
  }

  static async open(folder: string, kind: TransferKind): Promise<RecordFile> {
    return new RecordFile(kind, folder, await open(join(folder, `${fileOfKind(kind)}.part`), 'wx', 0o600));
  }

  async write(record: TransferRecord): Promise<void> {
    const line = `${JSON.stringify(record)}\n`;
    this.#lines.push(line);
    this.#waiting += line.length;
    this.#records += 1;
    if (this.#waiting >= BUFFER_BYTES_MAX) await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#waiting = 0;
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    await this.#handle.writeFile(bytes);
  }

  async finish(): Promise<TransferManifest['files'][number]> {
    await this.#flush();
    await this.#handle.sync();
    await this.close();
    await rename(`${this.#path}.part`, this.#path);
    const sha256 = this.#hash.digest('hex');
    return { name: this.#name, kind: this.kind, records: this.#records, bytes: this.#bytes, sha256 };
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(`${path}.part`, 'w', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${path}.part`, path);
}
