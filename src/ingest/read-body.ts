import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';

export class BodyError extends Error {
  readonly status: 400 | 413;
  constructor(status: 400 | 413, message: string) {
    super(message);
    this.name = 'BodyError';
    this.status = status;
  }
}

/**
 * Feeds the decompressed body to `take`, chunk by chunk; nothing is held here. Resolves at its end.
 * Rejects with BodyError when either the received or the decompressed bytes pass the limit, or the compression is
 * broken, and with whatever `take` throws. Unknown encodings are read as they are, as the reference does.
 */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
  take: (chunk: Uint8Array) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const decoder = createDecoder(request.headers['content-encoding']);
    let receivedBytes = 0;
    let bytes = 0;
    let done = false;
    const fail = (error: Error) => {
      if (done) return;
      done = true;
      request.removeListener('data', onReceived);
      if (decoder) {
        request.unpipe(decoder);
        decoder.destroy();
      }
      reject(error);
    };
    const onReceived = (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > bytesMax) fail(tooLarge(bytesMax));
    };
    const onBytes = (chunk: Buffer) => {
      if (done) return;
      bytes += chunk.length;
      if (bytes > bytesMax) {
        fail(tooLarge(bytesMax));
        return;
      }
      try {
        take(chunk);
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)));
      }
    };
    const finish = () => {
      if (done) return;
      done = true;
      resolve();
    };
    request.on('error', () => fail(new BodyError(400, 'The connection broke before the body was complete')));
    request.on('aborted', () =>
      fail(new BodyError(400, 'The connection broke before the body was complete')),
    );
    if (decoder) {
      request.on('data', onReceived);
      decoder.on('data', onBytes);
      decoder.on('end', finish);
      decoder.on('error', (error) =>
        fail(
          new BodyError(
            400,
            `The body cannot be decompressed (${request.headers['content-encoding']}): ${error.message}`,
          ),
        ),
      );
      request.pipe(decoder);
    } else {
      request.on('data', onBytes);
      request.on('end', finish);
    }
  });
}

function createDecoder(encoding: string | undefined): Transform | null {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      return null;
  }
}

const tooLarge = (bytesMax: number) =>
  new BodyError(413, `The body is larger than ${bytesMax} bytes, compressed or not`);
