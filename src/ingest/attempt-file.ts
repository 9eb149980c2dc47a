import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { unavailable } from '#lib/errors.ts';

/** A range of the spool in which the process died. */
export type Suspects = {
  /** Its last position. */
  to: number;
  /** Position → how often the process died while it worked on that record. */
  deaths: ReadonlyMap<number, number>;
};

type Content = { from: number; to: number; marked: number | null; deaths: [number, number][] };

/** The file grows by blocks and never shrinks: on a full disk it is written over where it lies. */
const BLOCK_BYTES = 4_096;

/** The range that is being worked on; `from` equals `to` when none is. null when nothing is known. */
export const readAttempt = (path: string): { from: number; to: number } | null => readContent(path);

function readContent(path: string): Content | null {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Content;
  } catch {
    // A torn write: nothing is known, nothing is suspected.
    return null;
  }
}

/**
 * Which range is being worked on, written before and after it, so that the next process can tell that this one died
 * of a record. Not synced: it must outlive the process, not the machine. Writing throws ErrataError 'unavailable' when
 * the disk refuses.
 */
export class AttemptFile {
  readonly #path: string;
  #deaths = new Map<number, number>();

  constructor(path: string) {
    this.#path = path;
  }

  /** What the former process left unfinished after the position that the stores confirm; null when nothing. */
  suspectsAfter(position: number): Suspects | null {
    const content = readContent(this.#path);
    if (!content || content.to <= position) return null;
    this.#deaths = new Map(content.deaths);
    if (content.marked !== null && content.marked > position) {
      this.#deaths.set(content.marked, (this.#deaths.get(content.marked) ?? 0) + 1);
    }
    return { to: content.to, deaths: this.#deaths };
  }

  begin(from: number, to: number): void {
    this.#deaths.clear();
    this.#write({ from, to, marked: null, deaths: [] });
  }

  /** The record about to be worked on in a range that killed a process before; null when it is the stores' turn. */
  mark(position: number | null, from: number, to: number): void {
    this.#write({ from, to, marked: position, deaths: [...this.#deaths] });
  }

  end(position: number): void {
    this.#write({ from: position, to: position, marked: null, deaths: [] });
  }

  #write(content: Content): void {
    const text = Buffer.from(JSON.stringify(content));
    try {
      const fd = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
      try {
        const blocks = Math.ceil(Math.max(text.length, fstatSync(fd).size) / BLOCK_BYTES);
        // Spaces behind JSON mean nothing.
        const bytes = Buffer.alloc(blocks * BLOCK_BYTES, ' ');
        text.copy(bytes);
        writeSync(fd, bytes, 0, bytes.length, 0);
      } finally {
        closeSync(fd);
      }
    } catch (error) {
      throw unavailable(
        `The digest progress file could not be written (${String(error)}): check the data directory's disk`,
        error,
      );
    }
  }
}
