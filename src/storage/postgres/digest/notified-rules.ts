import type { EventHit } from '#storage/ports/digest.ts';
import { KnownKeys } from './known-keys.ts';

/**
 * Pairs of a rule and an issue that are muted for a while, about 100 bytes each; forgetting one costs an outbox
 * entry.
 */
const QUIET_MAX = 100_000;
/** Pairs that never trigger again, about 30 bytes each. */
const SETTLED_MAX = 1_000_000;

type Settled = { version: number; issueIds: Set<number> };

/** What rules need not hear of again: remembered by one process, and asked again by the next one. */
export class NotifiedRules {
  readonly #quiet: KnownKeys<number>;
  readonly #settled = new Map<number, Settled>();
  readonly #settledMax: number;
  #settledCount = 0;

  constructor({ quietMax = QUIET_MAX, settledMax = SETTLED_MAX } = {}) {
    this.#quiet = new KnownKeys(quietMax);
    this.#settledMax = settledMax;
  }

  isNotified(hit: EventHit, issueId: number, nowMs: number): boolean {
    const settled = hit.kind === 'first_seen' ? this.#settled.get(hit.ruleId) : undefined;
    if (settled?.version === hit.ruleVersion && settled.issueIds.has(issueId)) return true;
    return (this.#quiet.get(quietKey(hit, issueId)) ?? 0) > nowMs;
  }

  /** `untilMs` is in milliseconds since the epoch. */
  keepQuiet(hit: EventHit, issueId: number, untilMs: number): void {
    this.#quiet.set(quietKey(hit, issueId), untilMs);
  }

  /** An issue comes to an environment once. A rule that was changed begins anew. */
  settle({ ruleId, ruleVersion }: EventHit, issueId: number): void {
    let known = this.#settled.get(ruleId);
    if (known?.version !== ruleVersion) {
      this.#forget(ruleId);
      known = { version: ruleVersion, issueIds: new Set() };
      this.#settled.set(ruleId, known);
    }
    if (known.issueIds.has(issueId)) return;
    known.issueIds.add(issueId);
    this.#settledCount++;
    if (this.#settledCount <= this.#settledMax) return;
    for (const oldest of this.#settled.keys()) {
      this.#forget(oldest);
      break;
    }
  }

  #forget(ruleId: number): void {
    this.#settledCount -= this.#settled.get(ruleId)?.issueIds.size ?? 0;
    this.#settled.delete(ruleId);
  }
}

const quietKey = ({ ruleId, ruleVersion }: EventHit, issueId: number): string =>
  `${ruleId}:${ruleVersion}:${issueId}`;
