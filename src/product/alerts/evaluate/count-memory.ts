import { MINUTE_MS } from '#lib/time.ts';

/** Counts that are remembered, about 150 bytes each. */
const COUNTS_MAX = 50_000;
/** Whatever happened to the issue meanwhile, it is counted again. */
const KEPT_MS = MINUTE_MS;

type Known = { count: number; timesSeen: number; at: number };

/**
 * What was counted in the window of a filter, so that an issue with many events is not counted at each of them: since
 * then it can only have become as many more as it was seen more often.
 */
export class CountMemory {
  readonly #counts = new Map<string, Known>();

  /** Whether the count cannot be above `above` yet. */
  isBelow(key: string, above: number, timesSeen: number, nowMs: number): boolean {
    const known = this.#counts.get(key);
    if (!known || nowMs - known.at > KEPT_MS || timesSeen < known.timesSeen) return false;
    return known.count + timesSeen - known.timesSeen <= above;
  }

  /** Whether it was too much to be counted a moment ago: trying again would hold up other alerts. */
  isTooMuch(key: string, nowMs: number): boolean {
    const known = this.#counts.get(key);
    return known !== undefined && known.count === Number.POSITIVE_INFINITY && nowMs - known.at <= KEPT_MS;
  }

  /** `count` is Infinity for what was too much to be counted. */
  note(key: string, count: number, timesSeen: number, nowMs: number): void {
    this.#counts.delete(key);
    this.#counts.set(key, { count, timesSeen, at: nowMs });
    if (this.#counts.size <= COUNTS_MAX) return;
    const [oldest = ''] = this.#counts.keys();
    this.#counts.delete(oldest);
  }
}
