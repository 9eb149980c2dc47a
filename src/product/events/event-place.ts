import { z } from 'zod';
import type { EventPage } from '#storage/ports/events.ts';

/** A place in a list of events, newest first: the last event of the page before. */
export const EVENT_PLACE = z.object({
  occurredAt: z.number().int().nonnegative(),
  eventId: z.string().regex(/^[0-9a-f]{32}$/),
});
export type EventPlace = z.infer<typeof EVENT_PLACE>;

/** Where the next page begins; null after the last one. */
export function placeAfter(page: EventPage): EventPlace | null {
  const last = page.events.at(-1);
  return page.hasMore && last ? { occurredAt: last.occurredAt, eventId: last.eventId } : null;
}
