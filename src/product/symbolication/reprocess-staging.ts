import { PairCollector } from '#product/grouping/pair-collector.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { Resymbolicated } from './resymbolicate-event.ts';

/** Changed events, whose new bodies are held, between two checkpoints; a block of events is one at most. */
const CHECKPOINT_EVENTS = 256;

/** Events that changed, until the next checkpoint. */
export class ReprocessStaging {
  readonly #collector = new PairCollector();
  #events: DigestedEvent[] = [];
  #changed = 0;

  add({ event, hash: to, hasNewFrames }: Resymbolicated): void {
    const { eventId, groupingHash: hash, occurredAt, receivedAt, payload } = event;
    this.#collector.add({ eventId, hash, occurredAt, receivedAt, payload }, to, () => event.title);
    this.#changed += 1;
    if (hasNewFrames) this.#events.push(event);
  }

  get isFull(): boolean {
    return this.#changed >= CHECKPOINT_EVENTS;
  }

  take(): ReturnType<PairCollector['take']> & { events: readonly DigestedEvent[] } {
    const events = this.#events;
    this.#events = [];
    this.#changed = 0;
    return { events, ...this.#collector.take() };
  }
}
