import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** How far the writer has synced: nothing behind it may be read. */
export type SpoolHead = {
  /** Of the last record. */
  position: number;
  /** Bytes of all frames up to it, since the spool was made. */
  bytes: number;
  /** The segment that holds it. */
  serial: number;
  /** Where its frame ends there. */
  offset: number;
};

/** What the reader needs no more. */
export type Acknowledged = { position: number; bytes: number };

/** The writer tells the reader. */
export class HeadFile {
  readonly #file: FigureFile;
  constructor(folder: string) {
    this.#file = new FigureFile(join(folder, 'synced'), 4);
  }
  write({ position, bytes, serial, offset }: SpoolHead): void {
    this.#file.write([position, bytes, serial, offset]);
  }
  read(): SpoolHead | null {
    const figures = this.#file.read();
    if (!figures) return null;
    const [position = 0, bytes = 0, serial = 0, offset = 0] = figures;
    return { position, bytes, serial, offset };
  }
  close(): void {
    this.#file.close();
  }
}

/** The reader tells the writer. */
export class AcknowledgedFile {
  readonly #file: FigureFile;
  constructor(folder: string) {
    this.#file = new FigureFile(join(folder, 'acknowledged'), 2);
  }
  write({ position, bytes }: Acknowledged): void {
    this.#file.write([position, bytes]);
  }
  read(): Acknowledged | null {
    const figures = this.#file.read();
    if (!figures) return null;
    const [position = 0, bytes = 0] = figures;
    return { position, bytes };
  }
  close(): void {
    this.#file.close();
  }
}

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
