import { pipeline, Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import type { BlobStore, BlobWriter } from '#storage/ports/blobs.ts';
import { INFLATES_TOO_MUCH, inflatesTooMuch } from './inflation.ts';

/** All files of a report together, unpacked; as the reference bounds it. */
export const UNREAL_BYTES_MAX = 200 * 1024 * 1024;
const MARKER = Buffer.from('CR1');

export type Unpacked = { kind: 'unpacked'; bytes: number } | { kind: 'unreadable'; reason: string };

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
    if (isZlibError(error)) return { kind: 'unreadable', reason: 'It cannot be decompressed' };
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
      return { kind: 'unreadable', reason: `It unpacks to more than ${UNREAL_BYTES_MAX} bytes` };
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
