import { FOOTER_BYTES, type PackedSource } from '#lib/packed-blocks.ts';
import type { Bucket } from './bucket.ts';

/** Read at once from the end: the footer and the lengths of the blocks of most blobs, and small blobs whole. */
const TAIL_BYTES = 64 * 1024;
/** Read at once of what is read from the front to the back: a stream that is left alone costs no more than this. */
const WINDOW_BYTES = 1024 * 1024;

/** Content of an object of ours; null when there is no such object. */
export async function openBucketSource(
  bucket: Pick<Bucket, 'read'>,
  key: string,
  tailBytes = TAIL_BYTES,
): Promise<PackedSource | null> {
  const tail = await bucket.read(key, { last: Math.max(tailBytes, FOOTER_BYTES) });
  if (!tail) return null;
  const { totalBytes } = tail;
  const ofTail = { from: totalBytes - tail.bytes.length, bytes: tail.bytes };
  let window: { from: number; bytes: Buffer } = ofTail;
  return {
    bytes: totalBytes,
    async read(from, length, until) {
      if (from < 0 || length < 0 || from + length > totalBytes) throw tooShort();
      for (const known of [ofTail, window]) {
        const start = from - known.from;
        if (start >= 0 && start + length <= known.bytes.length)
          return known.bytes.subarray(start, start + length);
      }
      const ahead = Math.min(until, from + WINDOW_BYTES);
      const read = await bucket.read(key, { from, to: Math.max(from + length, ahead) });
      // Deleted while it was read.
      if (!read) throw new Error('A blob was deleted while it was read');
      if (read.totalBytes !== totalBytes || read.bytes.length < length) throw tooShort();
      window = { from, bytes: read.bytes };
      return read.bytes.subarray(0, length);
    },
    async close() {},
  };
}

const tooShort = () => new Error('A blob is shorter than its footer says');
