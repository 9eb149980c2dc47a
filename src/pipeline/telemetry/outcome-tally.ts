import type { Category, Outcome } from '#protocol/outcome.ts';
import type { ItemOutcome } from '../item.ts';

/** Counts what became of the elements of one item, by reason. */
export class OutcomeTally {
  readonly #category: Category;
  readonly #counts = new Map<string, ItemOutcome>();

  constructor(category: Category) {
    this.#category = category;
  }

  count(outcome: Outcome, reason = '', quantity = 1): void {
    if (quantity <= 0) return;
    const name = `${outcome}:${reason}`;
    const known = this.#counts.get(name);
    if (known) known.quantity += quantity;
    else this.#counts.set(name, { category: this.#category, outcome, reason, quantity });
  }

  /** What was accepted first. */
  get outcomes(): ItemOutcome[] {
    const counts = [...this.#counts.values()];
    return [
      ...counts.filter(({ outcome }) => outcome === 'accepted'),
      ...counts.filter(({ outcome }) => outcome !== 'accepted'),
    ];
  }
}
