import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { parseBoundedJson } from '#lib/bounded-json.ts';
import { invalid, messageOf, notFound } from '#lib/errors.ts';
import {
  LINE_BYTES_MAX,
  MANIFEST,
  MANIFEST_FILE,
  type TransferManifest,
} from '#product/transfer/folder-format.ts';
import { TRANSFER_RECORD } from '#product/transfer/records.ts';
import type { ReadOptions, TransferItem, TransferSource } from '#product/transfer/transfer-source.ts';

const MANIFEST_BYTES_MAX = 1024 * 1024;
const NEWLINE = 0x0a;
/** Records between two checkpoints. */
const CHECKPOINT_RECORDS = 1_000;

/**
 * An export in a folder. Lines that cannot be understood are told of with their file and number. Throws Invalid for what is
 * not an export, or one of a newer format; throws, once a file is read, when it is not as it was written.
 */
export async function openFolderSource(folder: string): Promise<TransferSource> {
  const manifest = await readManifest(folder);
  const { source } = manifest;
  const where = source.url === null ? '' : ` at ${source.url}`;
  return {
    name: `${folder}: ${source.organization} of ${source.product}${where}`,
    key: `folder ${source.product} ${source.url ?? ''} ${source.organization}`.slice(0, 500),
    read: (options) => readRecords(folder, manifest, options),
    openFile: (path) => openFile(folder, path),
    async close() {},
  };
}

async function readManifest(folder: string): Promise<TransferManifest> {
  const path = join(folder, MANIFEST_FILE);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) {
    throw invalid(`${folder} has no ${MANIFEST_FILE}: it is not an export, or one that was not finished`);
  }
  if (found.size > MANIFEST_BYTES_MAX) throw invalid(`${path} is too long to be of an export`);
  let content: unknown;
  try {
    content = parseBoundedJson(await readFile(path, 'utf8'));
  } catch (error) {
    throw invalid(`${path} is not JSON: ${messageOf(error)}`);
  }
  const parsed = MANIFEST.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(
    `${path} is of no format that this version knows: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}

async function* readRecords(
  folder: string,
  { files }: TransferManifest,
  { kinds, signal }: ReadOptions,
): AsyncGenerator<TransferItem> {
  for (const { name, kind, sha256 } of files) {
    if (!kinds.has(kind) && kind !== 'organization' && kind !== 'project') continue;
    const hash = createHash('sha256');
    let number = 0;
    for await (const line of linesOf(join(folder, name), hash)) {
      signal.throwIfAborted();
      number += 1;
      if (line !== null && line.length === 0) continue;
      yield readLine(line, `${name}:${number}`);
      // What is in is told of to the importer, so that it need not keep more than this at once.
      if (number % CHECKPOINT_RECORDS === 0) yield { kind: 'checkpoint', cursor: `${name}:${number}` };
    }
    if (hash.digest('hex') !== sha256) {
      yield {
        kind: 'malformed',
        place: name,
        problem: 'The file is not as it was written: its SHA-256 is not the one in the manifest',
      };
    }
  }
}

function readLine(line: Buffer | null, place: string): TransferItem {
  if (line === null) {
    return { kind: 'malformed', place, problem: `The line is longer than ${LINE_BYTES_MAX} bytes` };
  }
  let content: unknown;
  try {
    content = parseBoundedJson(line.toString('utf8'));
  } catch (error) {
    return { kind: 'malformed', place, problem: `The line is not JSON: ${messageOf(error)}` };
  }
  const parsed = TRANSFER_RECORD.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') || 'record';
  return { kind: 'malformed', place, problem: `"${field}": ${issue?.message ?? 'cannot be read'}` };
}

/** Lines without their ends; null for one that is too long. */
async function* linesOf(
  path: string,
  hash: { update(chunk: Buffer): unknown },
): AsyncGenerator<Buffer | null> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = (): Buffer | null => {
    const line = length > LINE_BYTES_MAX ? null : Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  };
  const keep = (part: Buffer): void => {
    length += part.length;
    if (length <= LINE_BYTES_MAX) parts.push(part);
    else parts = [];
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (length > 0) yield take();
}

async function openFile(folder: string, path: string): Promise<AsyncIterable<Buffer>> {
  const root = resolve(folder);
  const target = resolve(root, path);
  // A record names what it likes; only what lies in the folder is read.
  const found = target.startsWith(`${root}${sep}`) ? await stat(target).catch(() => null) : null;
  if (!found?.isFile()) throw notFound(`The export has no file ${path}`);
  return createReadStream(target) as AsyncIterable<Buffer>;
}
