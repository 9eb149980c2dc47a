import { HOUR_MS } from '#lib/time.ts';
import type { SpikeSettings } from '#protocol/ingest-settings.ts';

/** Issues counted at the same time. Beyond it, the count of the issue that was silent longest is reset. */
const ISSUES_MAX = 200_000;
/** Past the threshold, up to ten times of it, every tenth body is kept; beyond, every hundredth. */
const SAMPLED = { every: 10, upToTimes: 10, everyBeyond: 100 } as const;

/**
 * Spike protection: decides of which events the whole body is kept. Per issue (project and grouping hash) and clock
 * hour, all bodies up to the threshold, then a sample of them. Counts live in memory: after a restart an hour begins
 * anew, and what is digested a second time counts a second time. What becomes of the event itself is not decided here: it is stored and counted in any case.
 */
export class BodySampler {
  readonly #issuesMax: number;
  /** In the order of their last event. */
  #counts = new Map<string, { hour: number; events: number }>();
  #digests = 1;

  constructor(issuesMax = ISSUES_MAX) {
    this.#issuesMax = issuesMax;
  }

  /** So many digests see an even share of each issue's events, and keep an even share of its bodies. */
  shareWith(digests: number): void {
    this.#digests = Math.max(1, digests);
  }

  /** Counts the event. `receivedAt` in milliseconds since the epoch. */
  keepsBody(
    event: { projectId: number; groupingHash: string; receivedAt: number },
    spike: SpikeSettings,
  ): boolean {
    if (!spike.isEnabled) return true;
    const issue = `${event.projectId}:${event.groupingHash}`;
    const hour = Math.floor(event.receivedAt / HOUR_MS);
    const known = this.#counts.get(issue);
    // A record that was taken out of quarantine belongs to an hour that nobody counts any more.
    if (known && known.hour > hour) return true;
    this.#counts.delete(issue);
    const events = known?.hour === hour ? known.events + 1 : 1;
    this.#counts.set(issue, { hour, events });
    this.#forgetOldest();
    return isKept(events, Math.max(1, Math.ceil(spike.bodiesPerHour / this.#digests)));
  }

  #forgetOldest(): void {
    for (const issue of this.#counts.keys()) {
      if (this.#counts.size <= this.#issuesMax) return;
      this.#counts.delete(issue);
    }
  }
}

/** `position` of the event in its hour, from 1. */
function isKept(position: number, threshold: number): boolean {
  if (position <= threshold) return true;
  const dense = threshold * SAMPLED.upToTimes;
  if (position <= dense) return (position - threshold) % SAMPLED.every === 0;
  return (position - dense) % SAMPLED.everyBeyond === 0;
}
