import type { ByteSource } from '#pipeline/crash-reports/crash-facts.ts';
import type { BlobStore } from '#storage/ports/blobs.ts';

/** A blob as a source of bytes; null when there is no such blob. Reads throw what the store throws. */
export async function blobAsSource(
  blobs: Pick<BlobStore, 'read' | 'size'>,
  key: string,
): Promise<ByteSource | null> {
  const size = await blobs.size(key);
  if (size === null) return null;
  return {
    size,
    async read(offset, length) {
      const to = Math.min(size, offset + length);
      return offset >= to ? new Uint8Array() : readRange(blobs, key, offset, to);
    },
  };
}

/** The first bytes of a blob; empty when there is no such blob. */
export const readHead = async (
  blobs: Pick<BlobStore, 'read'>,
  key: string,
  bytes: number,
): Promise<Uint8Array> => readRange(blobs, key, 0, bytes);

async function readRange(
  blobs: Pick<BlobStore, 'read'>,
  key: string,
  from: number,
  to: number,
): Promise<Uint8Array> {
  const stream = await blobs.read(key, { from, to });
  if (stream === null) return new Uint8Array();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
