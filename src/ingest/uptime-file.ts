import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';

/** A time in which nothing could be received. */
export type UptimeGap = { fromMs: number; toMs: number };

/** Milliseconds since the epoch: until when the edge was seen to receive; gaps are oldest first. */
export type Uptime = { at: number; gaps: readonly UptimeGap[] };

/** Of more gaps, the oldest is forgotten. */
const GAPS_MAX = 50;
/** A longer time between two beats is a gap: the process or the machine stood still. */
const BEAT_AGE_MS_MAX = 5_000;
/** The file keeps its size, so that it can be written on a full disk. */
const FILE_BYTES = 4_096;

/** null when nothing is known. */
export function readUptime(path: string): Uptime | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Uptime;
  } catch {
    // None yet, or a torn write: what was before is a gap then.
    return null;
  }
}

/**
 * Notes that the edge receives, and when it could not: who waits for something to arrive can tell silence from deafness.
 * Not synced: what a crash of the machine loses makes a gap longer.
 */
export class UptimeFile {
  readonly #path: string;
  #uptime: Uptime | null;

  /** Whatever passed since the former process noted something is a gap that ends with the first beat. */
  constructor(path: string) {
    this.#path = path;
    this.#uptime = readUptime(path);
  }

  #hasBeaten = false;

  /** Throws when the disk refuses. */
  beat(nowMs: number): void {
    const { at, gaps } = this.#uptime ?? { at: 0, gaps: [] };
    const isGap = nowMs > at && (!this.#hasBeaten || nowMs - at > BEAT_AGE_MS_MAX);
    const all = isGap ? [...gaps, { fromMs: at, toMs: nowMs }].slice(-GAPS_MAX) : gaps;
    this.#uptime = { at: nowMs, gaps: all };
    this.#write(this.#uptime);
    this.#hasBeaten = true;
  }

  #write(uptime: Uptime): void {
    const bytes = Buffer.alloc(FILE_BYTES, ' ');
    bytes.write(JSON.stringify(uptime));
    const descriptor = openSync(this.#path, constants.O_RDWR | constants.O_CREAT, 0o600);
    try {
      writeSync(descriptor, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(descriptor);
    }
  }
}
