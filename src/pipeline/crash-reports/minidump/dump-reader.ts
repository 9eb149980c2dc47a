import type { ByteSource } from '../crash-facts.ts';

const PAGE_BYTES = 64 * 1024;
/** Pages of a dump kept in memory. */
const PAGES_HELD_MAX = 32;
/** A dump that makes us read more than this of it is not a dump of a process, or is made to keep us busy. */
const READ_BYTES_MAX = 64 * 1024 * 1024;
/** One string of a dump; the rest is cut. */
const STRING_CHARS_MAX = 2_048;

/** The dump is broken where something has to be read: the rest of it may be of use. */
export class DumpError extends Error {}

/** Reads a dump through pages that it holds a few of. Offsets and lengths may be anything: what is not there is an error. */
export class DumpReader {
  readonly #source: ByteSource;
  readonly #pages = new Map<number, Uint8Array>();
  #bytesRead = 0;

  constructor(source: ByteSource) {
    this.#source = source;
  }

  get size(): number {
    return this.#source.size;
  }

  /** Exactly so many bytes. Throws DumpError when they are not all there. */
  async view(offset: number, length: number): Promise<DataView> {
    const bytes = await this.bytes(offset, length);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  async bytes(offset: number, length: number): Promise<Uint8Array> {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.#source.size)) {
      throw new DumpError(`${length} bytes at ${offset} are outside the dump of ${this.#source.size} bytes`);
    }
    const first = Math.floor(offset / PAGE_BYTES);
    const start = offset - first * PAGE_BYTES;
    if (start + length <= PAGE_BYTES) {
      const page = await this.#page(first);
      if (start + length > page.length) throw new DumpError('The dump is truncated');
      return page.subarray(start, start + length);
    }
    this.#charge(length);
    const bytes = await this.#source.read(offset, length);
    if (bytes.length < length) throw new DumpError('The dump is truncated');
    return bytes;
  }

  /** A string of Windows (length in bytes, UTF-16); null when there is none, or when it is broken. */
  async utf16(offset: number): Promise<string | null> {
    if (offset === 0) return null;
    return this.#attempt(async () => {
      const length = (await this.view(offset, 4)).getUint32(0, true);
      const bytes = await this.bytes(offset + 4, Math.min(length - (length % 2), 2 * STRING_CHARS_MAX));
      return cleanText(Buffer.from(bytes).toString('utf16le'));
    });
  }

  /** A string of Crashpad (length in bytes, UTF-8); null when there is none, or when it is broken. */
  async utf8(offset: number): Promise<string | null> {
    if (offset === 0) return null;
    return this.#attempt(async () => {
      const length = (await this.view(offset, 4)).getUint32(0, true);
      const bytes = await this.bytes(offset + 4, Math.min(length, STRING_CHARS_MAX));
      return cleanText(Buffer.from(bytes).toString('utf8'));
    });
  }

  async #attempt(read: () => Promise<string>): Promise<string | null> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof DumpError) return null;
      throw error;
    }
  }

  async #page(index: number): Promise<Uint8Array> {
    const held = this.#pages.get(index);
    if (held) return held;
    this.#charge(PAGE_BYTES);
    const page = await this.#source.read(index * PAGE_BYTES, PAGE_BYTES);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size < PAGES_HELD_MAX) break;
      this.#pages.delete(oldest);
    }
    this.#pages.set(index, page);
    return page;
  }

  #charge(bytes: number): void {
    this.#bytesRead += bytes;
    if (this.#bytesRead > READ_BYTES_MAX) throw new DumpError('The dump references too much of its own data');
  }
}

/** Up to the first NUL; without halves of surrogate pairs. */
export const cleanText = (text: string): string => (text.split('\0', 1)[0] ?? '').toWellFormed();

/** Where a stream or a record lies; both in bytes. */
export type Location = { offset: number; size: number };

/** Streams that are read, by their number in the directory. */
export const STREAM = {
  threadList: 3,
  moduleList: 4,
  exception: 6,
  systemInfo: 7,
  miscInfo: 15,
  threadNames: 24,
  crashpadInfo: 0x43500001,
  breakpadInfo: 0x47670001,
  assertionInfo: 0x47670002,
} as const;

export type Directory = {
  /** Seconds since the epoch; null when the dump does not say. */
  timestamp: number | null;
  /** null for streams that the dump has not. */
  find(stream: number): Location | null;
};

const HEADER_BYTES = 32;
const ENTRY_BYTES = 12;
/** Writers make about twenty. */
const STREAMS_MAX = 1_024;
const MAGIC = 0x504d444d;
const MAGIC_BIG_ENDIAN = 0x4d444d50;
const VERSION = 0xa793;

/**
 * Reads the head of a dump. Throws DumpError when it is none.
 * Source: MINIDUMP_HEADER and MINIDUMP_DIRECTORY of minidumpapiset.h.
 */
export async function readDirectory(reader: DumpReader): Promise<Directory> {
  if (reader.size < HEADER_BYTES) throw new DumpError('It is too short to be a minidump');
  const header = await reader.view(0, HEADER_BYTES);
  const magic = header.getUint32(0, true);
  if (magic === MAGIC_BIG_ENDIAN) throw new DumpError('Dumps from big-endian machines are not supported');
  if (magic !== MAGIC) throw new DumpError('It does not start with the minidump signature');
  if ((header.getUint32(4, true) & 0xffff) !== VERSION) throw new DumpError('Its version is not supported');
  const count = header.getUint32(8, true);
  if (count > STREAMS_MAX) throw new DumpError(`It declares ${count} streams`);
  const entries = await reader.view(header.getUint32(12, true), count * ENTRY_BYTES);
  const streams = new Map<number, Location>();
  for (let index = 0; index < count; index++) {
    const at = index * ENTRY_BYTES;
    const type = entries.getUint32(at, true);
    // Writers fill the directory up with zeros; of two streams of a kind the first counts.
    if (type !== 0 && !streams.has(type)) {
      streams.set(type, { size: entries.getUint32(at + 4, true), offset: entries.getUint32(at + 8, true) });
    }
  }
  return {
    timestamp: header.getUint32(20, true) || null,
    find: (stream) => streams.get(stream) ?? null,
  };
}

/**
 * Where the entries of a list stream begin, and how many there are, never more than fit into the stream or `countMax`.
 * Some writers put four bytes between the count and the entries. Throws DumpError.
 */
export async function readList(
  reader: DumpReader,
  stream: Location,
  entryBytes: number,
  countMax: number,
): Promise<{ offset: number; count: number }> {
  const said = (await reader.view(stream.offset, 4)).getUint32(0, true);
  const room = Math.max(0, Math.min(stream.size, reader.size - stream.offset) - 4);
  const padding = room === said * entryBytes + 4 ? 4 : 0;
  const fits = Math.floor((room - padding) / entryBytes);
  return { offset: stream.offset + 4 + padding, count: Math.max(0, Math.min(said, fits, countMax)) };
}
