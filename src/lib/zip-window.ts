import { RandomAccessReader } from 'yauzl';
import type { ZipSource } from './zip-archive.ts';

/** The directory is read in stretches, since its parser asks for a few bytes at a time. */
const WINDOW_BYTES = 256 * 1024;

/** Hands out bytes of one stretch of the source, which is read anew when something else is asked for. */
export class WindowReader extends RandomAccessReader {
  readonly #source: ZipSource;
  #from = 0;
  #window: Buffer = Buffer.alloc(0);

  constructor(source: ZipSource) {
    super();
    this.#source = source;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#slice(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(null);
      },
      (error: Error) => callback(error),
    );
  }

  async #slice(position: number, length: number): Promise<Buffer> {
    const start = position - this.#from;
    if (start >= 0 && start + length <= this.#window.length)
      return this.#window.subarray(start, start + length);
    if (!(position >= 0 && position + length <= this.#source.bytes)) {
      throw new Error('it ends before its directory does');
    }
    const to = Math.min(position + Math.max(length, WINDOW_BYTES), this.#source.bytes);
    this.#window = await this.#source.read(position, to);
    this.#from = position;
    return this.#window.subarray(0, length);
  }
}
