import { pipeline, Readable } from 'node:stream';
import { createDeflate, createInflate } from 'node:zlib';
import type { IngestRules } from '#pipeline/ingest-rules.ts';
import { readRecordingHeader } from '#pipeline/replays/segment-id.ts';
import type { Rewritten } from './scrub-body.ts';

/** A recording that cannot be read cannot be scrubbed either. */
export class RecordingUnreadable extends Error {}

/** Of a recording, unpacked: what digest can search within a few seconds. */
export const RECORDING_BYTES_MAX = 32 * 1024 * 1024;
const HEADER_BYTES_MAX = 4_096;
const LINE_FEED = 0x0a;
/** What JSON begins with: a recording that does not is compressed. */
const JSON_BYTES: ReadonlySet<number> = new Set(Buffer.from('[{ \t\r\n'));

/**
 * The recording of a segment, scrubbed as it comes: a line of JSON, then JSON, compressed with zlib or not, as it was
 * sent. Throws RecordingUnreadable while it is read.
 */
export function scrubRecording(source: AsyncIterable<Uint8Array>, { scrubber }: IngestRules): Rewritten {
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
