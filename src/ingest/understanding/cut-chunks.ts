import type { SpoolRecord } from '#storage/ports/spool.ts';
import type { Chunk } from './thread-messages.ts';
import type { Assumed } from './understand-apart.ts';

/** Chunks that one thread has been sent and has not answered: the one that it understands, and the next. */
export const CHUNKS_PER_THREAD_MAX = 2;
/** Bytes of records in one chunk; one record may be larger. */
export const CHUNK_BYTES_MAX = 512 * 1024;
/** Records of one chunk: some 20 milliseconds of work, so that the threads end at about the same time. */
export const CHUNK_RECORDS_MAX = 64;

/** Ranges of records that follow each other: enough for every thread, none too large. */
export function cutIntoChunks(
  records: readonly SpoolRecord[],
  threads: number,
): { from: number; to: number }[] {
  const recordsMax = Math.min(
    CHUNK_RECORDS_MAX,
    Math.ceil(records.length / (threads * CHUNKS_PER_THREAD_MAX)),
  );
  const chunks: { from: number; to: number }[] = [];
  let from = 0;
  let bytes = 0;
  for (const [index, record] of records.entries()) {
    const isFull = index - from >= recordsMax || bytes + record.bytes.length > CHUNK_BYTES_MAX;
    if (index > from && isFull) {
      chunks.push({ from, to: index });
      from = index;
      bytes = 0;
    }
    bytes += record.bytes.length;
  }
  if (records.length > from) chunks.push({ from, to: records.length });
  return chunks;
}

/** Copied when a thread takes it, and not before. */
export function packChunk(
  spoolId: string,
  records: readonly SpoolRecord[],
  assumed: readonly Assumed[],
): Chunk {
  const bytes = new Uint8Array(records.reduce((sum, record) => sum + record.bytes.length, 0));
  const ends: number[] = [];
  let end = 0;
  for (const record of records) {
    bytes.set(record.bytes, end);
    end += record.bytes.length;
    ends.push(end);
  }
  return { spoolId, positions: records.map(({ position }) => position), assumed, bytes, ends };
}
