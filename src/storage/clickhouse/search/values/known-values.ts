import { randomInt } from 'node:crypto';
import { HOUR_MS } from '#lib/time.ts';

/** Values that are remembered as written: each takes eight bytes. */
const SLOTS = 2 ** 20;
/** Remembered values are written anew now and then, should the index have lost them. */
const KNOWN_FOR_MS = HOUR_MS;
const NONE = new Int32Array(0);

/**
 * Remembers which values were written to the index lately, so that an event that is like others writes nothing. A value
 * is known by 64 bits of a hash that is seeded by chance: nobody can choose values that are taken for each other.
 */
export class KnownValues {
  /** Made when the first value is remembered: most processes write none. */
  #low = NONE;
  #high = NONE;
  readonly #seed = randomInt(2 ** 32) | 0;
  #sinceMs: number;
  /** Of what `begin` and `isKnown` were asked last. */
  #startLow = 0;
  #startHigh = 0;
  #keyLow = 0;
  #keyHigh = 0;

  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** Begins a batch: what was remembered too long is forgotten. */
  refresh(nowMs: number): void {
    if (nowMs - this.#sinceMs < KNOWN_FOR_MS) return;
    this.#low.fill(0);
    this.#high.fill(0);
    this.#sinceMs = nowMs;
  }

  /** What is asked next is of events of this hash on this day. */
  begin(projectId: number, groupingHash: string, day: number): void {
    this.#keyLow = this.#seed;
    this.#keyHigh = ~this.#seed;
    this.#extend(groupingHash);
    this.#extend(`${projectId}:${day}`);
    this.#startLow = this.#keyLow;
    this.#startHigh = this.#keyHigh;
  }

  isKnown(kind: string, name: string, value: string): boolean {
    this.#keyLow = this.#startLow;
    this.#keyHigh = this.#startHigh;
    this.#extend(kind);
    this.#extend(name);
    this.#extend(value);
    const slot = this.#keyLow & (SLOTS - 1);
    return this.#low[slot] === this.#keyLow && this.#high[slot] === this.#keyHigh;
  }

  /** What was asked last, for `add`. */
  get lastKey(): ValueKey {
    return { low: this.#keyLow, high: this.#keyHigh };
  }

  /** Only of what is stored. */
  add({ low, high }: ValueKey): void {
    if (this.#low === NONE) {
      this.#low = new Int32Array(SLOTS);
      this.#high = new Int32Array(SLOTS);
    }
    const slot = low & (SLOTS - 1);
    this.#low[slot] = low;
    this.#high[slot] = high;
  }

  /** Two sums over the units of a text and its length: one after the manner of FNV-1a, one a polynomial. */
  #extend(text: string): void {
    let low = this.#keyLow ^ text.length;
    let high = Math.imul(this.#keyHigh, 0x85ebca6b) + text.length;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      low = Math.imul(low ^ unit, 0x01000193);
      high = (Math.imul(high, 0x9e3779b1) + unit) | 0;
    }
    this.#keyLow = Math.imul(low ^ (low >>> 15), 0x2c1b3c6d);
    this.#keyHigh = high ^ (high >>> 16);
  }
}

export type ValueKey = { low: number; high: number };
