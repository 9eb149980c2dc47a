import type { EventMove, HashPair, StoredForGrouping } from '#storage/ports/regroup-events.ts';

/** Sums up what rules make of events, in as much memory as there are different pairs of hashes. */
export class PairCollector {
  #pairs = new Map<string, HashPair>();
  #moves: EventMove[] = [];

  /** `title` is asked only where it is that of the newest event of its pair. */
  add(event: StoredForGrouping, to: string, title: () => string): void {
    const { hash: from, occurredAt, receivedAt, eventId } = event;
    const key = `${from}${to}`;
    const known = this.#pairs.get(key);
    this.#pairs.set(
      key,
      known
        ? {
            ...known,
            events: known.events + 1,
            firstSeen: Math.min(known.firstSeen, occurredAt),
            lastSeen: Math.max(known.lastSeen, occurredAt),
            title: occurredAt >= known.lastSeen ? title() : known.title,
          }
        : { from, to, events: 1, firstSeen: occurredAt, lastSeen: occurredAt, title: title() },
    );
    if (from !== to) this.#moves.push({ eventId, from, to, occurredAt, receivedAt });
  }

  get pairCount(): number {
    return this.#pairs.size;
  }

  get moveCount(): number {
    return this.#moves.length;
  }

  /** What was added since the last time. */
  take(): { pairs: readonly HashPair[]; moves: readonly EventMove[] } {
    const taken = { pairs: [...this.#pairs.values()], moves: this.#moves };
    this.#pairs = new Map();
    this.#moves = [];
    return taken;
  }
}
