import { type DestinationSender, SEND_MS_MAX } from '#delivery/ports/destination-sender.ts';
import { MAIL_MS_MAX, type Mailer } from '#delivery/ports/mailer.ts';
import type { FaultPoints } from '#lib/fault-points.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { UnsubscribeLinks } from '#product/notifications/unsubscribe-links.ts';

/** What sending needs. */
export type DeliveryParts = Pick<Context, 'stores' | 'now' | 'publicUrl'> & {
  mailer: Mailer;
  destinationSender: DestinationSender;
  unsubscribeLinks: UnsubscribeLinks;
  faults: FaultPoints;
};

/** How long each try waits for the next one; after the last of them the message has failed. */
export const RETRY_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
];

/**
 * Whoever takes a message has so long to finish it; then somebody else may take it. More than sending may take, which is
 * begun only if it can end in time.
 */
export const LEASE_MS = 2 * SEND_MS_MAX;
export const MAIL_LEASE_MS = 1.5 * MAIL_MS_MAX;
/** Of a message whose host has enough to do, or which nobody could compose while a store was away. */
export const SOON_MS = 2 * SECOND_MS;

/** How long the log goes back. */
export const LOG_DAYS = 30;
