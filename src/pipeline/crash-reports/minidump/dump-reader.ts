import type { ByteSource } from '../byte-source.ts';

const PAGE_BYTES = 64 * 1024;
const PAGES_HELD_MAX = 32;
/** A dump that makes us read more than this of it is not a dump of a process, or is made to keep us busy. */
const READ_BYTES_MAX = 64 * 1024 * 1024;
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
      throw new DumpError(
        `${length} bytes at ${offset} lie outside of the dump, which has ${this.#source.size}`,
      );
    }
    const first = Math.floor(offset / PAGE_BYTES);
    const start = offset - first * PAGE_BYTES;
    if (start + length <= PAGE_BYTES) {
      const page = await this.#page(first);
      if (start + length > page.length) throw new DumpError('The dump ends early');
      return page.subarray(start, start + length);
    }
    this.#charge(length);
    const bytes = await this.#source.read(offset, length);
    if (bytes.length < length) throw new DumpError('The dump ends early');
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
    if (this.#bytesRead > READ_BYTES_MAX) throw new DumpError('The dump refers to too much of itself');
  }
}

/** Up to the first NUL; without halves of surrogate pairs. */
export const cleanText = (text: string): string => (text.split('\0', 1)[0] ?? '').toWellFormed();
