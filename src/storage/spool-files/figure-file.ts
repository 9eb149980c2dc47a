import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/**
 * A few numbers that one process tells another through a small file. Not synced: they outlive the processes, and what
 * must outlive the machine is found again without them. The checksum makes a reader that meets a write read again.
 */
export class FigureFile {
  readonly #path: string;
  readonly #bytes: Buffer;
  #fd: number | null = null;

  constructor(path: string, count: number) {
    this.#path = path;
    this.#bytes = Buffer.alloc(8 * count + 4);
  }

  write(figures: readonly number[]): void {
    this.#fd ??= openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    for (const [index, figure] of figures.entries()) this.#bytes.writeDoubleLE(figure, 8 * index);
    const end = this.#bytes.length - 4;
    this.#bytes.writeUInt32LE(crc32(this.#bytes.subarray(0, end)), end);
    writeSync(this.#fd, this.#bytes, 0, this.#bytes.length, 0);
  }

  /** null when there is no such file, or nothing sound in it. */
  read(): number[] | null {
    if (this.#fd === null) {
      try {
        this.#fd = openSync(this.#path, 'r+');
      } catch {
        return null;
      }
    }
    const end = this.#bytes.length - 4;
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt++) {
      const read = readSync(this.#fd, this.#bytes, 0, this.#bytes.length, 0);
      if (
        read === this.#bytes.length &&
        this.#bytes.readUInt32LE(end) === crc32(this.#bytes.subarray(0, end))
      ) {
        return Array.from({ length: end / 8 }, (_, index) => this.#bytes.readDoubleLE(8 * index));
      }
    }
    return null;
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }
}

const READ_ATTEMPTS = 3;
