import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib';
import type { Dsn } from './envelope.ts';
import { type StreamedAnswer, streamBody } from './stream-body.ts';

const MIB = 1024 * 1024;
/** Zeros in one block; the block is sent again and again. */
const BLOCK_BYTES = 16 * MIB;
const TOTAL_BYTES = 10 * 1024 * MIB;

export type BombEncoding = keyof typeof COMPRESSORS;

/** A flush ends on a byte; after it the same compressed block may follow itself. */
const COMPRESSORS = {
  gzip: { open: () => createGzip(), flush: constants.Z_FULL_FLUSH },
  deflate: { open: () => createDeflate(), flush: constants.Z_FULL_FLUSH },
  br: {
    open: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    flush: constants.BROTLI_OPERATION_FLUSH,
  },
  zstd: { open: () => createZstdCompress(), flush: constants.ZSTD_e_flush },
};

/**
 * Streams ten GiB of zeros, compressed to some ten MiB, as an envelope's body until the server answers or hangs up.
 * Answers the status (0 when there was no answer) and the parsed body.
 */
export async function streamBomb(dsn: Dsn, encoding: BombEncoding): Promise<StreamedAnswer> {
  const { start, block } = await compressBlocks(encoding);
  return streamBody(
    dsn,
    { start, block, blocks: TOTAL_BYTES / BLOCK_BYTES },
    { 'content-encoding': encoding },
  );
}

/** The second block of zeros is the one that repeats: what it refers to lies in the one before. */
async function compressBlocks(encoding: BombEncoding): Promise<{ start: Buffer; block: Buffer }> {
  const { open, flush: kind } = COMPRESSORS[encoding];
  const stream = open();
  let output: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => output.push(chunk));
  const flush = () =>
    new Promise<Buffer>((resolve) =>
      stream.flush(kind, () => {
        const flushed = Buffer.concat(output);
        output = [];
        resolve(flushed);
      }),
    );
  stream.write('{}\n{"type":"event"}\n');
  stream.write(Buffer.alloc(BLOCK_BYTES));
  const start = await flush();
  stream.write(Buffer.alloc(BLOCK_BYTES));
  const block = await flush();
  stream.destroy();
  return { start, block };
}
