import { request as httpRequest } from 'node:http';
import { constants, createDeflate, createGzip } from 'node:zlib';
import { authHeader, type Dsn } from './envelope.ts';

const MIB = 1024 * 1024;
/** Zeros in one block; the block is sent again and again. */
const BLOCK_BYTES = 16 * MIB;
const TOTAL_BYTES = 10 * 1024 * MIB;

/**
 * Streams ten GiB of zeros, compressed to some ten MiB, as an envelope's body until the server answers or hangs up.
 * Answers the status (0 when there was no answer) and the parsed body.
 */
export async function streamBomb(
  dsn: Dsn,
  encoding: 'gzip' | 'deflate',
): Promise<{ status: number; body: unknown; sentBytes: number }> {
  const { start, block } = await compressBlocks(encoding);
  return new Promise((resolve) => {
    let sentBytes = 0;
    let isOver = false;
    const request = httpRequest(`${dsn.origin}/api/${dsn.projectId}/envelope/`, {
      method: 'POST',
      headers: { 'x-sentry-auth': authHeader(dsn), 'content-encoding': encoding },
    });
    const finish = (status: number, text: string) => {
      if (isOver) return;
      isOver = true;
      request.destroy();
      resolve({ status, body: parse(text), sentBytes });
    };
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => finish(response.statusCode ?? 0, text));
      response.on('error', () => finish(response.statusCode ?? 0, text));
    });
    request.on('error', (error) => setTimeout(() => finish(0, JSON.stringify(String(error))), 500));
    const pump = (blocksLeft: number) => {
      if (isOver || request.destroyed) return;
      if (blocksLeft === 0) return request.end();
      sentBytes += block.length;
      if (request.write(block)) setImmediate(pump, blocksLeft - 1);
      else request.once('drain', () => pump(blocksLeft - 1));
    };
    request.write(start);
    pump(TOTAL_BYTES / BLOCK_BYTES);
  });
}

/** A full flush ends on a byte and forgets what was before, so the same compressed block may follow itself. */
async function compressBlocks(encoding: 'gzip' | 'deflate'): Promise<{ start: Buffer; block: Buffer }> {
  const stream = encoding === 'gzip' ? createGzip() : createDeflate();
  let output: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => output.push(chunk));
  const flush = () =>
    new Promise<Buffer>((resolve) =>
      stream.flush(constants.Z_FULL_FLUSH, () => {
        const flushed = Buffer.concat(output);
        output = [];
        resolve(flushed);
      }),
    );
  stream.write('{}\n{"type":"event"}\n');
  const start = await flush();
  stream.write(Buffer.alloc(BLOCK_BYTES));
  const block = await flush();
  stream.destroy();
  return { start, block };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
