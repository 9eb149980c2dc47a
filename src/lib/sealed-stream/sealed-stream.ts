import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { type BackupKeys, SALT_BYTES } from './backup-keys.ts';

/**
 * A file: a head of 48 bytes, then its content, compressed by zstd when the head says so, and encrypted when it says so.
 * Encrypted content is cut into chunks, each with its length in front (32 bits, the top one set on the last) and its tag
 * behind. The nonce counts the chunks and marks the last, and the head is authenticated with each, so that no chunk
 * can be changed, left out, doubled or moved, and the file cannot be cut.
 */
const MAGIC = 'ERRATABK';
const VERSION = 1;
const IS_COMPRESSED = 1;
const IS_ENCRYPTED = 2;
const HEAD_BYTES = 48;
const FLAGS_AT = 9;
const SALT_AT = 16;
const FILE_SALT_AT = SALT_AT + SALT_BYTES;

const CIPHER = 'aes-256-gcm';
/** Of one encrypted chunk, before encryption. */
const CHUNK_BYTES_MAX = 1024 * 1024;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
const LAST = 0x8000_0000;
/** Faster than the disk, and a tenth smaller than the fastest. */
const ZSTD_LEVEL = 3;

export type SealOptions = {
  /** null: the content is not encrypted. */
  keys: BackupKeys | null;
  isCompressed: boolean;
};

/** The bytes of a file with this content. The source is read no faster than the result. */
export async function* sealStream(
  source: AsyncIterable<Uint8Array>,
  { keys, isCompressed }: SealOptions,
): AsyncGenerator<Buffer> {
  const head = Buffer.alloc(HEAD_BYTES);
  head.write(MAGIC, 0, 'latin1');
  head[MAGIC.length] = VERSION;
  head[FLAGS_AT] = (isCompressed ? IS_COMPRESSED : 0) | (keys ? IS_ENCRYPTED : 0);
  if (keys) {
    keys.salt.copy(head, SALT_AT);
    randomBytes(SALT_BYTES).copy(head, FILE_SALT_AT);
  }
  yield head;
  const packed = isCompressed ? through(source, compressor()) : source;
  if (!keys) {
    for await (const chunk of packed) yield asBuffer(chunk);
    return;
  }
  const key = keyOf(head, keys);
  let index = 0;
  let held: Buffer | null = null;
  // One chunk is held back, since the last one is marked.
  for await (const chunk of cut(packed, CHUNK_BYTES_MAX)) {
    if (held) yield* encrypt(held, { head, key, index: index++, isLast: false });
    held = chunk;
  }
  yield* encrypt(held ?? Buffer.alloc(0), { head, key, index, isLast: true });
}

/**
 * The content of a file. Throws when it is no such file, is cut or was changed, or needs another key; what was given
 * before is sound if it is encrypted, and is to be compared with its hash otherwise.
 */
export async function* openStream(
  source: AsyncIterable<Uint8Array>,
  keys: BackupKeys | null,
): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  try {
    const head = await reader.take(HEAD_BYTES);
    if (head?.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new DamagedError('it has no valid head');
    if (head[MAGIC.length] !== VERSION) {
      throw new DamagedError(`it has the format ${head[MAGIC.length]}, which this version does not know`);
    }
    const flags = head[FLAGS_AT] ?? 0;
    const isEncrypted = (flags & IS_ENCRYPTED) !== 0;
    if (isEncrypted && !keys) throw new DamagedError('it is encrypted: set ERRATA_BACKUP_KEY');
    const packed = isEncrypted && keys ? decrypt(reader, head, keyOf(head, keys)) : reader.rest();
    if ((flags & IS_COMPRESSED) === 0) yield* packed;
    else for await (const chunk of through(packed, createZstdDecompress())) yield asBuffer(chunk);
  } finally {
    await reader.close();
  }
}

/** What was read is not what was written. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
}

type ChunkPlace = { head: Buffer; key: Buffer; index: number; isLast: boolean };

function* encrypt(chunk: Buffer, { head, key, index, isLast }: ChunkPlace): Generator<Buffer> {
  const cipher = createCipheriv(CIPHER, key, nonceOf(index, isLast), { authTagLength: TAG_BYTES }).setAAD(
    head,
  );
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE((isLast ? LAST : 0) + chunk.length);
  const bytes = cipher.update(chunk);
  cipher.final();
  yield length;
  yield bytes;
  yield cipher.getAuthTag();
}

async function* decrypt(reader: ByteReader, head: Buffer, key: Buffer): AsyncGenerator<Buffer> {
  for (let index = 0; ; index++) {
    const word = (await reader.take(LENGTH_BYTES))?.readUInt32BE() ?? null;
    if (word === null) throw new DamagedError('it is cut');
    const isLast = word >= LAST;
    const length = isLast ? word - LAST : word;
    if (length > CHUNK_BYTES_MAX) throw new DamagedError('a chunk is too long');
    const bytes = await reader.take(length);
    const tag = await reader.take(TAG_BYTES);
    if (!bytes || !tag) throw new DamagedError('it is cut');
    const decipher = createDecipheriv(CIPHER, key, nonceOf(index, isLast), { authTagLength: TAG_BYTES })
      .setAAD(head)
      .setAuthTag(tag);
    const content = decipher.update(bytes);
    try {
      decipher.final();
    } catch {
      throw new DamagedError('it was changed, or encrypted with another key');
    }
    if (content.length > 0) yield content;
    if (!isLast) continue;
    if ((await reader.take(1)) !== null) throw new DamagedError('something follows its end');
    return;
  }
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

const keyOf = (head: Buffer, keys: BackupKeys): Buffer =>
  keys.keyOf(head.subarray(SALT_AT, FILE_SALT_AT), head.subarray(FILE_SALT_AT));

const compressor = (): Transform =>
  createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } });

/** The source's errors come out of the result; whoever stops reading the result stops the source. */
function through(source: AsyncIterable<Uint8Array>, transform: Transform): Readable {
  return pipeline(source, transform, () => {}) as Transform;
}

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The same bytes in pieces of this length; the last one may be shorter. */
async function* cut(source: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  try {
    for (;;) {
      const piece = await reader.takeUpTo(length);
      if (piece.length === 0) return;
      yield piece;
    }
  } finally {
    await reader.close();
  }
}

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer[] = [];
  #heldBytes = 0;
  #isOver = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Exactly so many bytes; null when there are none or fewer. */
  async take(length: number): Promise<Buffer | null> {
    const bytes = await this.takeUpTo(length);
    return bytes.length === length ? bytes : null;
  }

  /** Fewer at the end only. */
  async takeUpTo(length: number): Promise<Buffer> {
    while (this.#heldBytes < length && !this.#isOver) {
      const next = await this.#source.next();
      if (next.done) this.#isOver = true;
      else if (next.value.length > 0) {
        this.#held.push(asBuffer(next.value));
        this.#heldBytes += next.value.length;
      }
    }
    const all = this.#held.length === 1 ? (this.#held[0] as Buffer) : Buffer.concat(this.#held);
    const taken = all.subarray(0, length);
    const left = all.subarray(taken.length);
    this.#held = left.length > 0 ? [left] : [];
    this.#heldBytes = left.length;
    return taken;
  }

  async *rest(): AsyncGenerator<Buffer> {
    for (const held of this.#held) yield held;
    this.#held = [];
    for (let next = await this.#source.next(); !next.done; next = await this.#source.next()) {
      yield asBuffer(next.value);
    }
    this.#isOver = true;
  }

  async close(): Promise<void> {
    if (!this.#isOver) await this.#source.return?.();
  }
}
