import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';
import { type BodyWatch, watchBody } from './body-watch.ts';
import { MemoryExceeded, type MemoryLease } from './memory-budget.ts';
import { INFLATES_TOO_MUCH, inflatesTooMuch, REQUEST_BOUNDS } from './request-bounds.ts';

export class BodyError extends Error {
  readonly status: 400 | 408 | 413 | 415;
  readonly isInflated: boolean;
  constructor(status: 400 | 408 | 413 | 415, message: string, isInflated = false) {
    super(message);
    this.name = 'BodyError';
    this.status = status;
    this.isInflated = isInflated;
  }
}

/** Takes the next bytes. While its promise is pending nothing more is read. */
export type TakeChunk = (chunk: Uint8Array) => void | Promise<void>;

/**
 * Feeds the decompressed body to `take`, chunk by chunk; nothing is held here. Resolves at its end.
 * Rejects with BodyError when either the received or the decompressed bytes pass the limit, the body is mostly filler,
 * the compression is broken, or the sender falls silent or goes away; with MemoryExceeded when others take back what
 * `lease` holds; and with whatever `take` throws. Unknown encodings, also several at once, are read as they are, as the
 * reference does (relay-config/src/config.rs, `HttpEncoding::parse`). `lease` is charged with the window of the decoder;
 * `received` counts the bytes of the network.
 */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
  take: TakeChunk,
  lease?: MemoryLease,
  received?: { bytes: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const decoding = createDecoder(request.headers['content-encoding']);
    const decoder = decoding?.stream ?? null;
    const source: Readable = decoder ?? request;
    let receivedBytes = 0;
    let bytes = 0;
    let done = false;
    let isWindowCharged = false;
    let watch: BodyWatch | null = null;
    const stop = () => {
      done = true;
      watch?.end();
      lease?.onGivenUp(null);
      if (isWindowCharged) lease?.charge(-(decoding?.windowBytes ?? 0));
    };
    const fail = (error: unknown) => {
      if (done) return;
      stop();
      request.removeListener('data', onReceived);
      if (decoder) {
        request.unpipe(decoder);
        decoder.destroy();
      }
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const onReceived = (chunk: Buffer) => {
      watch?.received(chunk.length);
      receivedBytes += chunk.length;
      if (received) received.bytes += chunk.length;
      if (receivedBytes > bytesMax) fail(tooLarge(bytesMax));
    };
    const onBytes = (chunk: Buffer) => {
      if (done) return;
      watch?.received(chunk.length);
      bytes += chunk.length;
      if (bytes > bytesMax) {
        fail(tooLarge(bytesMax));
        return;
      }
      if (decoder && inflatesTooMuch(receivedBytes, bytes)) {
        fail(new BodyError(413, `The body ${INFLATES_TOO_MUCH}`, true));
        return;
      }
      if (received && !decoder) received.bytes += chunk.length;
      try {
        if (!isWindowCharged && decoding && bytes > WINDOW_CHARGED_AFTER_BYTES) {
          lease?.charge(decoding.windowBytes);
          isWindowCharged = true;
        }
        const pending = take(chunk);
        if (!pending) return;
        source.pause();
        pending.then(() => done || source.resume(), fail);
      } catch (error) {
        fail(error);
      }
    };
    const finish = () => {
      if (done) return;
      stop();
      resolve();
    };
    const onBroken = () =>
      fail(new BodyError(400, 'The connection closed before the body was complete: send the request again'));
    if (request.destroyed && !request.complete) {
      onBroken();
      return;
    }
    request.on('error', onBroken);
    request.on('close', () => {
      if (!request.complete) onBroken();
    });
    lease?.onGivenUp(() => fail(new MemoryExceeded()));
    if (decoder) {
      request.on('data', onReceived);
      decoder.on('data', onBytes);
      decoder.on('end', finish);
      decoder.on('error', (error) =>
        fail(
          new BodyError(
            400,
            `The body could not be decompressed (${request.headers['content-encoding']}): ${error.message}`,
          ),
        ),
      );
      request.pipe(decoder);
    } else {
      request.on('data', onBytes);
      request.on('end', finish);
    }
    if (!request.complete) {
      watch = watchBody(
        { idleMs: REQUEST_BOUNDS.bodyIdleMs, totalMs: REQUEST_BOUNDS.ingestBodyMs },
        (reason) =>
          fail(
            new BodyError(
              408,
              reason === 'idle'
                ? 'No data was received for too long: send the request again'
                : `The body took longer than ${REQUEST_BOUNDS.ingestBodyMs / 1000} s: send less per request`,
            ),
          ),
      );
    }
  });
}

/** Whole, for bodies that are known to be small. Rejects as `readBody` does. */
export async function readWholeBody(
  request: IncomingMessage,
  bytesMax: number,
  lease?: MemoryLease,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  await readBody(
    request,
    bytesMax,
    (chunk) => {
      lease?.charge(chunk.length);
      parts.push(chunk);
    },
    lease,
  );
  return Buffer.concat(parts);
}

/** A decoder's window fills as it gives out bytes: a short body never holds one. */
const WINDOW_CHARGED_AFTER_BYTES = 1024 * 1024;
/** As far back as a zstd body may refer: what RFC 9659 allows for HTTP. Larger ones are refused. */
const ZSTD_WINDOW_BITS_MAX = 23;
/** The largest window that brotli allows. */
const BROTLI_WINDOW_BYTES_MAX = 16 * 1024 * 1024;
const DEFLATE_WINDOW_BYTES = 64 * 1024;

function createDecoder(encoding: string | undefined): { stream: Transform; windowBytes: number } | null {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return { stream: createGunzip(), windowBytes: DEFLATE_WINDOW_BYTES };
    case 'deflate':
      return { stream: createInflate(), windowBytes: DEFLATE_WINDOW_BYTES };
    case 'br':
      return { stream: createBrotliDecompress(), windowBytes: BROTLI_WINDOW_BYTES_MAX };
    case 'zstd':
      return { stream: createZstdDecoder(), windowBytes: 2 ** ZSTD_WINDOW_BITS_MAX };
    default:
      return null;
  }
}

export const createZstdDecoder = (): Transform =>
  createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_BITS_MAX } });

const tooLarge = (bytesMax: number) =>
  new BodyError(
    413,
    `The body is larger than ${bytesMax} bytes, compressed or uncompressed: send less per request`,
  );
