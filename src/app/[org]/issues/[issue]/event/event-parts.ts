import type { DigestedAttachment, DigestedFeedback } from '#protocol/telemetry.ts';
import type { StoredEvent } from '#storage/ports/events.ts';

/** An event with what belongs to it and is kept elsewhere. */
export type EventParts = {
  event: StoredEvent;
  attachments: readonly DigestedAttachment[];
  feedback: readonly DigestedFeedback[];
};
