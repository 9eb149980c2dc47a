import type { Log } from '#lib/log.ts';

const REFRESH_INTERVAL_MS = 2_000;

/** A part of the store in memory, at most seconds old. The last known state counts while the store is away. */
export abstract class PolledTable {
  protected readonly log: Log;
  readonly #failure: string;
  #timer: NodeJS.Timeout | null = null;

  /** `failure` is what the log says when it could not be loaded again. */
  constructor(log: Log, failure: string) {
    this.log = log;
    this.#failure = failure;
  }

  protected abstract load(): Promise<void>;

  /** Throws when the store is away: without the first state nothing may be stored. */
  async start(): Promise<void> {
    await this.load();
    this.poll();
  }

  protected poll(): void {
    this.#timer = setInterval(() => void this.refresh(), REFRESH_INTERVAL_MS);
  }

  /** As `load`, with a failure told to the log. */
  protected async refresh(): Promise<void> {
    try {
      await this.load();
    } catch (error) {
      this.log.warn({ error: String(error) }, this.#failure);
    }
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
  }
}

/** Work that may be done in each second; matchers take from what is `left` of it. */
export class BudgetOfSecond {
  readonly #max: number;
  #second = 0;
  #budget: { left: number };

  constructor(max: number) {
    this.#max = max;
    this.#budget = { left: max };
  }

  at(nowMs: number): { left: number } {
    const second = Math.floor(nowMs / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#budget = { left: this.#max };
    }
    return this.#budget;
  }
}
