import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';

/**
 * The file of a compressed blob: blocks, each compressed by itself so that a range can be read without what is before it,
 * then the length of each block, then a footer. A block that compressing would not shrink is stored as it is, so content
 * that is compressed already costs four bytes per block.
 */
export const BLOCK_BYTES = 128 * 1024;
const FOOTER_BYTES = 16;
const LENGTH_BYTES = 4;
const MAGIC = 0x31424245;
/** In the length of a block: it is stored as it is. */
const RAW_FLAG = 0x8000_0000;
/** Fast enough for the event loop of the edge: docs/reliability.md has the figures. */
const LEVEL = 1;

const decompress = promisify(zstdDecompress);

/** Cuts what is written into blocks and hands their stored form to `write`. Holds up to one block. */
export class BlockPacker {
  readonly #write: (chunk: Uint8Array) => void;
  #held: Buffer | null = null;
  #heldBytes = 0;
  #lengths: number[] = [];
  bytes = 0;
  storedBytes = 0;

  constructor(write: (chunk: Uint8Array) => void) {
    this.#write = write;
  }

  /** Throws what `write` throws. */
  push(chunk: Uint8Array): void {
    for (let offset = 0; offset < chunk.length; ) {
      const isWhole = this.#heldBytes === 0 && chunk.length - offset >= BLOCK_BYTES;
      if (isWhole) {
        this.#pack(chunk.subarray(offset, offset + BLOCK_BYTES));
        offset += BLOCK_BYTES;
        continue;
      }
      this.#held ??= Buffer.allocUnsafe(BLOCK_BYTES);
      const part = chunk.subarray(offset, offset + BLOCK_BYTES - this.#heldBytes);
      this.#held.set(part, this.#heldBytes);
      this.#heldBytes += part.length;
      offset += part.length;
      if (this.#heldBytes === BLOCK_BYTES) this.#flush(this.#held);
    }
  }

  end(): void {
    if (this.#held && this.#heldBytes > 0) this.#flush(this.#held);
    this.#held = null;
    const tail = Buffer.allocUnsafe(this.#lengths.length * LENGTH_BYTES + FOOTER_BYTES);
    for (const [index, length] of this.#lengths.entries()) tail.writeUInt32LE(length, index * LENGTH_BYTES);
    const footer = this.#lengths.length * LENGTH_BYTES;
    tail.writeBigUInt64LE(BigInt(this.bytes), footer);
    tail.writeUInt32LE(BLOCK_BYTES, footer + 8);
    tail.writeUInt32LE(MAGIC, footer + 12);
    this.#store(tail);
  }

  #flush(held: Buffer): void {
    const { length } = held.subarray(0, this.#heldBytes);
    this.#heldBytes = 0;
    this.#pack(held.subarray(0, length));
  }

  #pack(block: Uint8Array): void {
    const packed = zstdCompressSync(block, {
      params: { [constants.ZSTD_c_compressionLevel]: LEVEL },
      chunkSize: BLOCK_BYTES,
    });
    const isSmaller = packed.length < block.length;
    this.#store(isSmaller ? packed : block);
    this.#lengths.push(isSmaller ? packed.length : block.length + RAW_FLAG);
    this.bytes += block.length;
  }

  #store(chunk: Uint8Array): void {
    this.#write(chunk);
    this.storedBytes += chunk.length;
  }
}

type Layout = { bytes: number; blockBytes: number; offsets: readonly number[]; isRaw: readonly boolean[] };

/** Length of the content of an open file. Throws when the file is none of ours. */
export async function readContentBytes(handle: FileHandle): Promise<number> {
  return (await readFooter(handle)).bytes;
}

/** What an open file holds; `to` may be beyond its end. The stream closes the file. */
export async function openBlockStream(
  handle: FileHandle,
  range?: { from: number; to: number },
): Promise<Readable> {
  const layout = await readLayout(handle);
  const to = Math.min(range?.to ?? layout.bytes, layout.bytes);
  let at = Math.min(range?.from ?? 0, to);
  return new Readable({
    read() {
      if (at >= to) {
        this.push(null);
        return;
      }
      readBlock(handle, layout, Math.floor(at / layout.blockBytes)).then(
        (block) => {
          const start = at % layout.blockBytes;
          const part = block.subarray(start, Math.min(block.length, start + to - at));
          at += part.length;
          this.push(part);
        },
        (error: unknown) => this.destroy(error instanceof Error ? error : new Error(String(error))),
      );
    },
    destroy(error, done) {
      handle.close().then(() => done(error), done);
    },
  });
}

async function readBlock(handle: FileHandle, layout: Layout, index: number): Promise<Buffer> {
  const from = layout.offsets[index] ?? 0;
  const stored = await readExactly(handle, from, (layout.offsets[index + 1] ?? from) - from);
  const block = layout.isRaw[index]
    ? stored
    : await decompress(stored, { maxOutputLength: layout.blockBytes });
  const expected = Math.min(layout.blockBytes, layout.bytes - index * layout.blockBytes);
  if (block.length !== expected) throw new Error(`Block ${index} of a blob is corrupt`);
  return block;
}

async function readLayout(handle: FileHandle): Promise<Layout> {
  const { bytes, blockBytes, fileBytes } = await readFooter(handle);
  const blocks = Math.ceil(bytes / blockBytes);
  const end = fileBytes - FOOTER_BYTES - blocks * LENGTH_BYTES;
  const lengths = await readExactly(handle, end, blocks * LENGTH_BYTES);
  const offsets = [0];
  const isRaw: boolean[] = [];
  for (let index = 0; index < blocks; index++) {
    const length = lengths.readUInt32LE(index * LENGTH_BYTES);
    isRaw.push(length >= RAW_FLAG);
    offsets.push((offsets.at(-1) ?? 0) + (length % RAW_FLAG));
  }
  if (offsets.at(-1) !== end) throw new Error('The blocks of a blob do not fill its file');
  return { bytes, blockBytes, offsets, isRaw };
}

async function readFooter(
  handle: FileHandle,
): Promise<{ bytes: number; blockBytes: number; fileBytes: number }> {
  const { size: fileBytes } = await handle.stat();
  const footer = await readExactly(handle, fileBytes - FOOTER_BYTES, FOOTER_BYTES);
  const bytes = Number(footer.readBigUInt64LE(0));
  const blockBytes = footer.readUInt32LE(8);
  if (footer.readUInt32LE(12) !== MAGIC || blockBytes === 0) throw new Error('A blob has no readable footer');
  return { bytes, blockBytes, fileBytes };
}

async function readExactly(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  if (from < 0 || length < 0) throw new Error('A blob is shorter than its footer says');
  const buffer = Buffer.allocUnsafe(length);
  for (let offset = 0; offset < length; ) {
    const { bytesRead } = await handle.read(buffer, offset, length - offset, from + offset);
    if (bytesRead === 0) throw new Error('A blob is shorter than its footer says');
    offset += bytesRead;
  }
  return buffer;
}
