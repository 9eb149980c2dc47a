import { join } from 'node:path';
import { FigureFile } from './figure-file.ts';

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
