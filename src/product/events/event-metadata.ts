import { describeEvent } from '#pipeline/title.ts';
import type { EventMetadata } from '#protocol/event.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

/** What the title of an event is made of: its main exception and the frame that threw, or its message. */
export function eventMetadata(event: Pick<StoredEvent, 'payload'>): EventMetadata {
  return describeEvent(event.payload).metadata;
}
