/** How much time may be saved (milliseconds), and which part of the time that passes is. */
export type Saving = { savedMs: number; share: number };

/** The one that spent nothing for longest is taken for one that has all of its time again. */
const OWNERS_MAX = 10_000;

/** Time that each owner may spend: whoever never spent any has all that can be saved. */
export class SavedTime {
  readonly #saving: Saving;
  readonly #owners = new Map<number, { leftMs: number; at: number }>();

  constructor(saving: Saving) {
    this.#saving = saving;
  }

  /** Below zero when more was spent than there was. */
  left(owner: number, nowMs: number): number {
    const { savedMs, share } = this.#saving;
    const known = this.#owners.get(owner);
    return known ? Math.min(savedMs, known.leftMs + (nowMs - known.at) * share) : savedMs;
  }

  spend(owner: number, spentMs: number, nowMs: number): void {
    const leftMs = this.left(owner, nowMs) - spentMs;
    this.#owners.delete(owner);
    if (this.#owners.size >= OWNERS_MAX) {
      const [oldest] = this.#owners.keys();
      if (oldest !== undefined) this.#owners.delete(oldest);
    }
    this.#owners.set(owner, { leftMs, at: nowMs });
  }
}
