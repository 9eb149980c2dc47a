import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

/**
 * The body of an answer, unpacked. What is packed counts by what comes out, and no more of it is unpacked than asked for.
 * Throws what the connection or the unpacking throws.
 */
export async function readBody(response: IncomingMessage, bytesMax: number): Promise<Buffer | 'too_large'> {
  const declared = Number(response.headers['content-length'] ?? 0);
  if (declared > bytesMax) {
    response.destroy();
    return 'too_large';
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of unpacked(response)) {
      bytes += (chunk as Buffer).length;
      if (bytes > bytesMax) return 'too_large';
      chunks.push(chunk as Buffer);
    }
  } finally {
    response.destroy();
  }
  return Buffer.concat(chunks, bytes);
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return response;
  const decoder = decoderOf(encoding);
  response.once('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

function decoderOf(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  throw new Error(`the encoding "${encoding.slice(0, 40)}" was not asked for`);
}
