import { pipeline, Readable } from 'node:stream';
import { createDeflate, createInflate } from 'node:zlib';
import type { IngestRules } from '#pipeline/ingest-rules.ts';
import { readRecordingHeader } from '#pipeline/replays/read-replay.ts';
import { packReplayVideo, unpackReplayVideo } from '#pipeline/replays/unpack-replay-video.ts';
import type { BodyKind } from '#pipeline/scrub/bodies/body-rules.ts';
import { SNIFF_BYTES, textEncodingOf } from '#pipeline/scrub/bodies/body-scrubber.ts';
import type { BlobStore, BlobWriter } from '#storage/ports/blobs.ts';
import { readHead } from './blob-source.ts';
import type { RecordItem } from './spool-record.ts';

/** A video is read whole; the edge takes none that is larger. */
export const VIDEO_BYTES_MAX = 10 * 1024 * 1024;
/** Of a text attachment: what digest can search within a few seconds. */
export const TEXT_BYTES_MAX = 32 * 1024 * 1024;

/** The item with what may be stored of its body, or why nothing may. */
type ScrubbedItem = { item: RecordItem; bodyFate: 'discarded' | 'unreadable' | null };

/** The bytes that are stored, as they come, and afterwards whether they are others than those that were sent. */
type Rewritten = { chunks: AsyncIterable<Uint8Array>; isChanged: () => boolean };
type Rewrite = (source: AsyncIterable<Uint8Array>) => Rewritten;

type Blobs = Pick<BlobStore, 'read' | 'readWhole' | 'create' | 'size' | 'delete'>;

/**
 * Scrubs the body of an attachment, a recording or a profile before it is digested, as the project decided. One in the
 * blob store is written anew beside the one that was sent, which is deleted once that is durable. Both are named by what
 * was sent: after a crash, and from quarantine, the same item finds what was written. Throws what the store throws.
 */
export async function scrubBody(blobs: Blobs, item: RecordItem, rules: IngestRules): Promise<ScrubbedItem> {
  const kind = KINDS.get(item.type);
  const { privacy } = rules.settings;
  if (kind === undefined) return { item, bodyFate: null };
  if (kind === 'profile') return scrubText(blobs, item, kind, rules);
  const policy = kind === 'attachment' ? privacy.textAttachments : privacy.recordings;
  if (policy === 'keep') return { item, bodyFate: null };
  if (kind === 'attachment') {
    if (policy === 'scrub') return scrubText(blobs, item, kind, rules);
    const isText = textEncodingOf(await headOf(blobs, item)) !== null;
    return isText ? withoutBody(blobs, item, 'discarded') : { item, bodyFate: null };
  }
  if (policy === 'discard') return withoutBody(blobs, item, 'discarded');
  try {
    return await rewriteBody(blobs, item, (source) =>
      item.type === 'replay_video' ? scrubVideo(source, rules) : scrubRecording(source, rules),
    );
  } catch (error) {
    if (error instanceof RecordingUnreadable) return withoutBody(blobs, item, 'unreadable');
    throw error;
  }
}

const KINDS: ReadonlyMap<string, BodyKind> = new Map([
  ['attachment', 'attachment'],
  ['replay_recording', 'recording'],
  ['replay_video', 'recording'],
  ['profile', 'profile'],
  ['profile_chunk', 'profile'],
  ['profile_chunk_ui', 'profile'],
]);

async function scrubText(
  blobs: Blobs,
  item: RecordItem,
  kind: BodyKind,
  { scrubber }: IngestRules,
): Promise<ScrubbedItem> {
  const head = await headOf(blobs, item);
  const encoding = textEncodingOf(head);
  const body = encoding && scrubber.openBody(kind, item.facts?.filename ?? '', encoding, head);
  const bytes = item.facts?.blob?.bytes ?? item.payload.length;
  if (body && kind === 'attachment' && bytes > TEXT_BYTES_MAX) return withoutBody(blobs, item, 'unreadable');
  // What was rewritten before a crash is found by its name alone.
  if (!body && (head.length > 0 || !item.facts?.blob)) return { item, bodyFate: null };
  return rewriteBody(blobs, item, (source) => ({
    chunks: body ? through(source, body) : source,
    isChanged: () => body?.isChanged ?? false,
  }));
}

async function* through(
  source: AsyncIterable<Uint8Array>,
  body: { push(bytes: Uint8Array): Uint8Array; end(): Uint8Array },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) yield body.push(chunk);
  yield body.end();
}

/** Its recording and its event; the pictures stay as they are. */
function scrubVideo(source: AsyncIterable<Uint8Array>, rules: IngestRules): Rewritten {
  let isChanged = false;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const unpacked = unpackReplayVideo(await collect(source));
    // Refused when it is digested.
    if (unpacked === null) throw new RecordingUnreadable();
    const recording = scrubRecording(once(unpacked.recording), rules);
    const packed = {
      event: unpacked.event,
      recording: await collect(recording.chunks),
      video: unpacked.video,
    };
    const body = rules.scrubber.openBody('recording', '', 'utf-8', unpacked.event);
    if (body) packed.event = Buffer.concat([body.push(unpacked.event), body.end()]);
    isChanged = recording.isChanged() || (body?.isChanged ?? false);
    yield packReplayVideo(packed);
  }
  return { chunks: chunks(), isChanged: () => isChanged };
}

async function rewriteBody(blobs: Blobs, item: RecordItem, rewrite: Rewrite): Promise<ScrubbedItem> {
  const sent = item.facts?.blob;
  if (!sent) {
    const { chunks, isChanged } = rewrite(once(item.payload));
    const payload = await collect(chunks);
    return { item: isChanged() ? { ...item, payload } : item, bodyFate: null };
  }
  const key = `${sent.key}${SCRUBBED}`;
  const known = await blobs.size(key);
  const written = known === null ? await writeBlob(blobs, sent.key, key, rewrite) : { bytes: known };
  if (written === null) return { item, bodyFate: null };
  await blobs.delete(sent.key);
  return { item: { ...item, facts: { ...item.facts, blob: { key, ...written } } }, bodyFate: null };
}

const SCRUBBED = '-scrubbed';

/** null when nothing was hidden, or when there is no such blob: then nothing was written. */
async function writeBlob(
  blobs: Blobs,
  from: string,
  to: string,
  rewrite: Rewrite,
): Promise<{ bytes: number } | null> {
  const source = await blobs.read(from);
  if (source === null) return null;
  try {
    return await writeFrom(source, blobs.create(to), rewrite);
  } finally {
    source.destroy();
  }
}

async function writeFrom(
  source: AsyncIterable<Uint8Array>,
  writer: BlobWriter,
  rewrite: Rewrite,
): Promise<{ bytes: number } | null> {
  try {
    const { chunks, isChanged } = rewrite(source);
    for await (const chunk of chunks) if (chunk.length > 0) writer.write(chunk);
    if (isChanged()) return await writer.finish();
    await writer.abort();
    return null;
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

async function withoutBody(
  blobs: Blobs,
  item: RecordItem,
  bodyFate: 'discarded' | 'unreadable',
): Promise<ScrubbedItem> {
  const blob = item.facts?.blob;
  if (blob) await Promise.all([blobs.delete(blob.key), blobs.delete(`${blob.key}${SCRUBBED}`)]);
  return { item, bodyFate };
}

const headOf = async (blobs: Pick<BlobStore, 'read'>, { payload, facts }: RecordItem): Promise<Uint8Array> =>
  facts?.blob ? readHead(blobs, facts.blob.key, SNIFF_BYTES) : payload.subarray(0, SNIFF_BYTES);

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** A recording that cannot be read cannot be scrubbed either. */
class RecordingUnreadable extends Error {}

/** Of a recording, unpacked: what digest can search within a few seconds. */
export const RECORDING_BYTES_MAX = 32 * 1024 * 1024;
/** First line of a recording. */
const HEADER_BYTES_MAX = 4_096;
const LINE_FEED = 0x0a;
/** What JSON begins with: a recording that does not is compressed. */
const JSON_BYTES: ReadonlySet<number> = new Set(Buffer.from('[{ \t\r\n'));

/**
 * The recording of a segment, scrubbed as it comes: a line of JSON, then JSON, compressed with zlib or not, as it was
 * sent. Throws RecordingUnreadable while it is read.
 */
function scrubRecording(source: AsyncIterable<Uint8Array>, { scrubber }: IngestRules): Rewritten {
  const body = scrubber.openBody('recording', '', 'utf-8', Buffer.from('[]'));
  if (body === null) return { chunks: source, isChanged: () => false };

  let isHeaderChanged = false;

  async function* scrubbed(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of packed) {
      bytes += chunk.length;
      if (bytes > RECORDING_BYTES_MAX) throw new RecordingUnreadable();
      yield body?.push(chunk) ?? chunk;
    }
    yield body?.end() ?? new Uint8Array();
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    const { head, rest } = await splitHeader(source);
    const segmentId = readRecordingHeader(head, Number.POSITIVE_INFINITY);
    if (segmentId === null) throw new RecordingUnreadable();
    // Nothing else is read of this line, so nothing else of it is stored.
    const header = Buffer.from(`{"segment_id":${segmentId}}\n`);
    isHeaderChanged = !header.equals(head);
    yield header;
    const reader = rest[Symbol.asyncIterator]();
    const first = await reader.next();
    if (first.done) return;
    const whole = resume(first.value, reader);
    if (JSON_BYTES.has(first.value[0] as number)) {
      yield* scrubbed(whole);
      return;
    }
    // Whoever reads what comes out sees the errors of all three.
    const unpacked = pipeline(Readable.from(whole), createInflate(), () => {});
    yield* pipeline(Readable.from(scrubbed(unpacked)), createDeflate(), () => {}) as AsyncIterable<Buffer>;
  }

  return { chunks: readable(chunks()), isChanged: () => isHeaderChanged || body.isChanged };
}

/** The line with the number of the segment, its end included, and what follows. */
async function splitHeader(
  source: AsyncIterable<Uint8Array>,
): Promise<{ head: Buffer; rest: AsyncIterable<Uint8Array> }> {
  const reader = source[Symbol.asyncIterator]();
  let read = Buffer.alloc(0);
  for (let end = -1; end < 0; ) {
    const next = await reader.next();
    if (next.done) throw new RecordingUnreadable();
    read = Buffer.concat([read, next.value]);
    end = read.indexOf(LINE_FEED);
    if ((end < 0 ? read.length : end) > HEADER_BYTES_MAX) throw new RecordingUnreadable();
    if (end >= 0) return { head: read.subarray(0, end + 1), rest: resume(read.subarray(end + 1), reader) };
  }
  throw new RecordingUnreadable();
}

async function* resume(first: Uint8Array, reader: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first;
    for (let next = await reader.next(); !next.done; next = await reader.next()) yield next.value;
  } finally {
    await reader.return?.();
  }
}

async function* readable(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks;
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code ?? '');
    throw code.startsWith('Z_') ? new RecordingUnreadable() : error;
  }
}
