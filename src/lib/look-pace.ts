/** Where something was found, more is to be expected. */
const OFTEN_FOR_MS = 60_000;
/** What comes after a quiet time may be found so late. */
const SELDOM_MS = 5_000;

/** How long to wait before the next look for work: `oftenMs` for a minute after some was found, and five seconds from then on. */
export class LookPace {
  readonly #oftenMs: number;
  readonly #now: () => number;
  #foundAt: number;

  /** Times are monotonic milliseconds. */
  constructor(oftenMs: number, now: () => number = () => performance.now()) {
    this.#oftenMs = oftenMs;
    this.#now = now;
    this.#foundAt = now();
  }

  found(): void {
    this.#foundAt = this.#now();
  }

  get waitMs(): number {
    return this.#now() - this.#foundAt < OFTEN_FOR_MS ? this.#oftenMs : SELDOM_MS;
  }
}
