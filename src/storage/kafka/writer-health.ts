import { messageOf } from '#lib/errors.ts';

/** Whoever waits longer for the brokers makes them suspect; one that refuses them at once does so by its answer. */
const ANSWER_MS_MAX = 5_000;
/** So long after the last failure it is forgotten, or whoever sends elsewhere because of it would never learn that all is well. */
const FAILURE_AGE_MS_MAX = 15_000;

/** Whether the brokers take records, by what became of those that were sent. */
export class WriterHealth {
  readonly #now: () => number;
  /** When each append that is under way began, oldest first. */
  readonly #underWay = new Set<{ since: number }>();
  #takenAt = Number.NEGATIVE_INFINITY;
  #failure: { at: number; reason: string } | null = null;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  async watch<Result>(append: Promise<Result>): Promise<Result> {
    const entry = { since: this.#now() };
    this.#underWay.add(entry);
    try {
      const result = await append;
      this.#takenAt = this.#now();
      this.#failure = null;
      return result;
    } catch (error) {
      this.#failure = { at: this.#now(), reason: messageOf(error) };
      throw error;
    } finally {
      this.#underWay.delete(entry);
    }
  }

  /** null while records are taken, by any broker. */
  trouble(): string | null {
    const now = this.#now();
    if (this.#failure && now - this.#failure.at < FAILURE_AGE_MS_MAX) return this.#failure.reason;
    const [oldest] = this.#underWay;
    const since = Math.max(oldest?.since ?? now, this.#takenAt);
    return now - since > ANSWER_MS_MAX ? 'the brokers do not answer' : null;
  }
}
