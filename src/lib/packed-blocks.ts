import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, zstdCompressSync, zstdDecompress } from 'node:zlib';

/**
 * A compressed blob as a store holds it: blocks, each compressed by itself so that a range can be read without what is before it,
 * then the length of each block, then a footer. A block that compressing would not shrink is stored as it is, so content
 * that is compressed already costs four bytes per block.
 */
export const BLOCK_BYTES = 128 * 1024;
export const FOOTER_BYTES = 16;
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

/** The stored form of a blob, to read from. */
export interface PackedSource {
  /** Of the stored form. */
  readonly bytes: number;
  /**
   * Exactly these bytes. Those up to `until` are likely to be asked for next. Rejects when there are fewer, and when the
   * store does.
   */
  read(from: number, length: number, until: number): Promise<Buffer>;
  close(): Promise<void>;
}

/** Length of the content. Rejects when the source is none of ours. */
export async function readContentBytes(source: PackedSource): Promise<number> {
  return (await readFooter(source)).bytes;
}

/** The content; `to` may be beyond its end. The stream closes the source. */
export async function openBlockStream(
  source: PackedSource,
  range?: { from: number; to: number },
): Promise<Readable> {
  const layout = await readLayout(source);
  const to = Math.min(range?.to ?? layout.bytes, layout.bytes);
  const until = layout.offsets[Math.ceil(to / layout.blockBytes)] ?? 0;
  let at = Math.min(range?.from ?? 0, to);
  return new Readable({
    read() {
      if (at >= to) {
        this.push(null);
        return;
      }
      readBlock(source, layout, Math.floor(at / layout.blockBytes), until).then(
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
      source.close().then(() => done(error), done);
    },
  });
}

async function readBlock(
  source: PackedSource,
  layout: Layout,
  index: number,
  until: number,
): Promise<Buffer> {
  const from = layout.offsets[index] ?? 0;
  const stored = await source.read(from, (layout.offsets[index + 1] ?? from) - from, until);
  const block = layout.isRaw[index]
    ? stored
    : await decompress(stored, { maxOutputLength: layout.blockBytes });
  const expected = Math.min(layout.blockBytes, layout.bytes - index * layout.blockBytes);
  if (block.length !== expected) throw new Error(`Block ${index} of a blob is corrupt`);
  return block;
}

async function readLayout(source: PackedSource): Promise<Layout> {
  const { bytes, blockBytes } = await readFooter(source);
  const blocks = Math.ceil(bytes / blockBytes);
  const end = source.bytes - FOOTER_BYTES - blocks * LENGTH_BYTES;
  if (end < 0) throw new Error('A blob is shorter than its footer says');
  const lengths = await source.read(end, blocks * LENGTH_BYTES, source.bytes);
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

async function readFooter(source: PackedSource): Promise<{ bytes: number; blockBytes: number }> {
  if (source.bytes < FOOTER_BYTES) throw new Error('A blob is shorter than its footer says');
  const footer = await source.read(source.bytes - FOOTER_BYTES, FOOTER_BYTES, source.bytes);
  const bytes = Number(footer.readBigUInt64LE(0));
  const blockBytes = footer.readUInt32LE(8);
  if (footer.readUInt32LE(12) !== MAGIC || blockBytes === 0) throw new Error('A blob has no readable footer');
  return { bytes, blockBytes };
}
