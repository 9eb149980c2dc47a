import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';

/** The body of a response without its encoding. Throws for an encoding that nobody asked for. */
export function unpacked(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return response;
  const decoder = decoderOf(encoding);
  response.once('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

function decoderOf(encoding: string) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
  if (encoding === 'br') return createBrotliDecompress();
  throw new Error(`the encoding "${encoding.slice(0, 40)}" was not requested`);
}
