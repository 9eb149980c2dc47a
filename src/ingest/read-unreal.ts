import { pipeline, Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import { type ByteSource, type CrashFacts, partOfSource } from '#pipeline/crash-reports/crash-facts.ts';
import { readMinidump, type WithSymbols } from '#pipeline/crash-reports/read-minidump.ts';
import {
  ATTACHMENT_OF_KIND,
  FILE_HEAD_BYTES,
  type FileKind,
  kindOfFile,
  type PackedFile,
  readContainer,
  readUnrealLogs,
} from '#pipeline/crash-reports/unreal/read-container.ts';
import { readUnrealContext } from '#pipeline/crash-reports/unreal/read-context.ts';
import { unrealFacts } from '#pipeline/crash-reports/unreal/unreal-facts.ts';
import type { IngestRules } from '#pipeline/ingest-rules.ts';
import { SNIFF_BYTES, textEncodingOf } from '#pipeline/scrub/bodies/body-scrubber.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { BlobStore, BlobWriter } from '#storage/ports/blobs.ts';
import { blobAsSource } from './blob-source.ts';
import { INFLATES_TOO_MUCH, inflatesTooMuch } from './request-bounds.ts';
import type { IngestRecord, RecordItem } from './spool-record.ts';

/** Of a context and of the end of a log; both are read whole. */
const TEXT_BYTES_MAX = 4 * 1024 * 1024;
/** Bytes read from the end of the log in an Unreal report. */
const LOG_BYTES_MAX = 256 * 1024;
const COPY_BYTES = 1024 * 1024;

type TypedFile = PackedFile & { kind: FileKind };

/**
 * Reads a report of Unreal: unpacks it beside the blobs, stores every file in it as a blob of its own, named by the item,
 * and says what they tell of the crash. Nothing of it is held whole in memory. Throws what the store throws.
 */
export async function readUnreal(
  blobs: BlobStore,
  item: RecordItem,
  record: IngestRecord,
  itemId: string,
  context: { rules: IngestRules; withSymbols: WithSymbols | undefined },
): Promise<CrashFacts> {
  const { receivedAtMs, projectId } = record;
  const keyOf = (name: string) => blobKey(receivedAtMs, projectId, `${itemId}-${name}`);
  const body = await bodyOf(blobs, item);
  if (body === null) return { kind: 'unreadable', reason: 'The content is no longer stored' };
  const bundle = keyOf('unpacked');
  // Not read at all when the store takes nothing: then nobody else would close it.
  const unpacked = await unpackUnreal(blobs, bundle, body).finally(() => body.destroy());
  if (unpacked.kind === 'unreadable') return unpacked;
  try {
    const source = await blobAsSource(blobs, bundle);
    if (source === null) return { kind: 'unreadable', reason: 'The content is no longer stored' };
    return await readBundle(blobs, source, keyOf, item.facts?.unrealUser ?? null, context);
  } finally {
    await blobs.delete(bundle).catch(() => {});
  }
}

async function readBundle(
  blobs: BlobStore,
  source: ByteSource,
  keyOf: (name: string) => string,
  user: string | null,
  { rules, withSymbols }: { rules: IngestRules; withSymbols: WithSymbols | undefined },
): Promise<CrashFacts> {
  const container = await readContainer(source);
  if (container.kind === 'unreadable') return container;
  const files: TypedFile[] = [];
  for (const file of container.files) {
    const head = await source.read(file.offset, Math.min(file.size, FILE_HEAD_BYTES));
    files.push({ ...file, kind: kindOfFile(file.name, head) });
  }
  const stored: Extract<CrashFacts, { kind: 'crash' }>['files'][number][] = [];
  for (const [index, file] of files.entries()) {
    const key = keyOf(`file-${index}`);
    const bytes = await copyFile(blobs, source, file, key, rules);
    if (bytes === null) continue;
    stored.push({ name: file.name, ...ATTACHMENT_OF_KIND[file.kind], bytes, blobKey: key });
  }
  const find = (kind: FileKind) => files.find((file) => file.kind === kind);
  const dump = find('minidump');
  const context = find('context');
  const log = find('log');
  const facts = dump ? await readMinidump(partOfSource(source, dump.offset, dump.size), withSymbols) : null;
  return unrealFacts({
    context:
      context && context.size <= TEXT_BYTES_MAX
        ? readUnrealContext(await source.read(context.offset, context.size))
        : null,
    dump: facts?.kind === 'crash' ? facts : null,
    breadcrumbs: log ? await readLogEnd(source, log, rules) : [],
    files: stored,
    user,
  });
}

/** Scrubbed as one text: a key in lines of its own is none in a breadcrumb for each of them. */
async function readLogEnd(source: ByteSource, log: PackedFile, { scrubber }: IngestRules) {
  const bytes = Math.min(log.size, LOG_BYTES_MAX);
  const end = await source.read(log.offset + log.size - bytes, bytes);
  const encoding = textEncodingOf(end);
  const body = encoding && scrubber.openBody('attachment', log.name, encoding, end);
  const scrubbed = body ? Buffer.concat([body.push(end), body.end()]) : end;
  return readUnrealLogs(scrubbed, bytes === log.size);
}

/** Texts are scrubbed as other attachments are; null when the project stores none. */
async function copyFile(
  blobs: Pick<BlobStore, 'create'>,
  source: ByteSource,
  { name, offset, size }: PackedFile,
  key: string,
  { settings, scrubber }: IngestRules,
): Promise<number | null> {
  const policy = settings.privacy.textAttachments;
  const head = await source.read(offset, Math.min(SNIFF_BYTES, size));
  const encoding = policy === 'keep' ? null : textEncodingOf(head);
  if (encoding !== null && policy === 'discard') return null;
  const body = encoding && scrubber.openBody('attachment', name, encoding, head);
  const writer = blobs.create(key);
  try {
    for (let done = 0; done < size; done += COPY_BYTES) {
      const chunk = await source.read(offset + done, Math.min(COPY_BYTES, size - done));
      writer.write(body ? body.push(chunk) : chunk);
    }
    if (body) writer.write(body.end());
    const { bytes } = await writer.finish();
    return bytes;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** null when the blob is gone. */
async function bodyOf(
  blobs: Pick<BlobStore, 'read'>,
  { payload, facts }: RecordItem,
): Promise<Readable | null> {
  if (!facts?.blob) return Readable.from([payload]);
  return blobs.read(facts.blob.key);
}

/** All files of a report together, unpacked; as the reference bounds it. */
export const UNREAL_BYTES_MAX = 200 * 1024 * 1024;
const MARKER = Buffer.from('CR1');

type Unpacked = { kind: 'unpacked'; bytes: number } | { kind: 'unreadable'; reason: string };

/**
 * Unpacks a report into a blob, which whoever reads it deletes again. A report that is not compressed is copied. Throws
 * what the store throws; what is wrong with the report is a value.
 */
export async function unpackUnreal(
  blobs: Pick<BlobStore, 'create'>,
  key: string,
  body: AsyncIterable<Uint8Array>,
): Promise<Unpacked> {
  const writer = blobs.create(key);
  try {
    const packed = { bytes: 0 };
    const unpacked = await copyInto(writer, await inflated(counting(body, packed)), packed);
    if (unpacked.kind === 'unreadable') {
      await writer.abort();
      return unpacked;
    }
    await writer.finish();
    return unpacked;
  } catch (error) {
    await writer.abort();
    if (isZlibError(error)) return { kind: 'unreadable', reason: 'It could not be decompressed' };
    throw error;
  }
}

async function* counting(
  body: AsyncIterable<Uint8Array>,
  packed: { bytes: number },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    packed.bytes += chunk.length;
    yield chunk;
  }
}

async function copyInto(
  writer: BlobWriter,
  source: AsyncIterable<Uint8Array>,
  packed: { readonly bytes: number },
): Promise<Unpacked> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > UNREAL_BYTES_MAX) {
      return { kind: 'unreadable', reason: `It decompresses to more than ${UNREAL_BYTES_MAX} bytes` };
    }
    if (inflatesTooMuch(packed.bytes, bytes)) {
      return { kind: 'unreadable', reason: `It ${INFLATES_TOO_MUCH}` };
    }
    writer.write(chunk);
  }
  return bytes === 0 ? { kind: 'unreadable', reason: 'It is empty' } : { kind: 'unpacked', bytes };
}

/** The body without zlib, or as it is when it begins as an unpacked report does. */
async function inflated(body: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const chunks = body[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let isDone = false;
  while (head.length < MARKER.length && !isDone) {
    const next = await chunks.next();
    if (next.done) isDone = true;
    else head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      if (head.length > 0) yield head;
      for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
    } finally {
      await chunks.return?.();
    }
  }
  if (head.subarray(0, MARKER.length).equals(MARKER)) return whole();
  // Whoever reads what comes out sees the errors of both, and closes both by stopping.
  return pipeline(Readable.from(whole()), createInflate(), () => {});
}

const isZlibError = (error: unknown): boolean =>
  error instanceof Error && String((error as NodeJS.ErrnoException).code ?? '').startsWith('Z_');
