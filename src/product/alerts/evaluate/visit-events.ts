import type { Stores } from '#product/stores.ts';
import type { WantedEvent } from '#storage/ports/alert-events.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

/** Events that are held at once: one with its payload may have a mebibyte of text, and several as objects. */
const PAYLOADS_AT_ONCE = 10;
const EVENTS_AT_ONCE = 250;

/** An event that somebody wants to look at. */
export type EventQuestion = {
  wanted: WantedEvent;
  /** null for an event that is gone. Nothing of it may be kept but small parts. */
  look(event: StoredEvent | null): void | Promise<void>;
};

/**
 * Reads events a few at a time and lets them go, until `isOver` says so. Answers how many were looked at.
 */
export async function visitEvents(
  { alertEvents }: Pick<Stores, 'alertEvents'>,
  organizationId: number,
  questions: readonly EventQuestion[],
  receivedSinceMs: number,
  withPayload: boolean,
  isOver: () => boolean = () => false,
): Promise<number> {
  const step = withPayload ? PAYLOADS_AT_ONCE : EVENTS_AT_ONCE;
  let looked = 0;
  for (; looked < questions.length && !isOver(); looked += step) {
    const part = questions.slice(looked, looked + step);
    const events = await alertEvents.findEvents(
      organizationId,
      part.map(({ wanted }) => wanted),
      receivedSinceMs,
      withPayload,
    );
    for (const [index, { look }] of part.entries()) await look(events[index] ?? null);
  }
  return Math.min(looked, questions.length);
}
