import { z } from 'zod';
import { DESTINATION_KINDS } from '#product/destinations/destination-kinds.ts';
import { NAMED } from './parts.ts';

/** Sentry's reference has no destinations: these are ours. */
export const DESTINATION = z
  .object({
    id: z.string(),
    kind: z.enum(DESTINATION_KINDS),
    name: z.string(),
    /** What everybody of the organization may see; secrets are never answered. */
    config: z.record(z.string(), z.string()),
    createdBy: NAMED.nullable(),
    dateCreated: z.iso.datetime(),
    lastSent: z.iso.datetime().nullable(),
    failingSince: z.iso.datetime().nullable(),
    lastError: z.string().nullable(),
  })
  .meta({ id: 'Destination' });

/** `generatedSecret` is answered once. */
export const SAVED_DESTINATION = DESTINATION.extend({ generatedSecret: z.string().nullable() }).meta({
  id: 'SavedDestination',
});

export const DESTINATION_TEST = z
  .object({ deliveryId: z.string(), isSent: z.boolean(), reason: z.string().nullable() })
  .meta({ id: 'DestinationTest' });

export const DELIVERY = z
  .object({
    id: z.string(),
    kind: z.enum(['alert', 'closing', 'activity', 'report', 'test']),
    state: z.enum(['open', 'sealed', 'sent', 'failed', 'dropped']),
    summary: z.string().nullable(),
    destinationId: z.string().nullable(),
    user: NAMED.nullable(),
    firings: z.number(),
    attempts: z.number(),
    lastError: z.string().nullable(),
    lastStatus: z.number().nullable(),
    dateCreated: z.iso.datetime(),
    dateDue: z.iso.datetime(),
    dateDone: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Delivery' });
