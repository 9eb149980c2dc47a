import { z } from 'zod';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { readPathNumber } from '#app/api/0/path-scope.ts';
import { PAGE } from '#app/api/0/query.ts';
import { idOf, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMs, isoOfMsOrNull } from '#app/api/0/shapes/moments.ts';
import { NAMED } from '#app/api/0/shapes/parts.ts';
import { type DeliveryRow, listDeliveries } from '#product/deliveries/deliveries.ts';
import { testDestination } from '#product/deliveries/send-test.ts';
import { DESTINATION_KINDS } from '#product/destinations/destination-kinds.ts';
import type { Destination } from '#product/destinations/destination-store.ts';
import {
  addDestination,
  getDestination,
  listDestinations,
  removeDestination,
  type SavedDestination,
  updateDestination,
} from '#product/destinations/destinations.ts';
import { getServices } from '#product/services.ts';
import { SHARED_OBJECT_RIGHTS } from '#product/shared-objects.ts';

const TIME = z.iso.datetime();

/** Sentry's reference has no destinations: these are ours. */
export const [DESTINATION, serializeDestination] = shapeOf<Destination>()(
  {
    id: idOf('id'),
    kind: z.enum(DESTINATION_KINDS),
    name: z.string(),
    /** What everybody of the organization may see; secrets are never answered. */
    config: z.record(z.string(), z.string()),
    createdBy: NAMED.nullable(),
    dateCreated: [TIME, ({ createdAt }) => isoOfMs(createdAt)],
    lastSent: [TIME.nullable(), ({ lastSentAt }) => isoOfMsOrNull(lastSentAt)],
    failingSince: [TIME.nullable(), (row) => isoOfMsOrNull(row.failingSince)],
    lastError: z.string().nullable(),
  },
  'Destination',
);

/** `generatedSecret` is answered once. */
export const SAVED_DESTINATION = DESTINATION.extend({ generatedSecret: z.string().nullable() }).meta({
  id: 'SavedDestination',
});

export const DESTINATION_TEST = z
  .object({ deliveryId: z.string(), isSent: z.boolean(), reason: z.string().nullable() })
  .meta({ id: 'DestinationTest' });

export const [DELIVERY, serializeDelivery] = shapeOf<DeliveryRow>()(
  {
    id: z.string(),
    kind: z.enum(['alert', 'closing', 'activity', 'report', 'test']),
    state: z.enum(['open', 'sealed', 'sent', 'failed', 'dropped']),
    summary: z.string().nullable(),
    destinationId: [
      z.string().nullable(),
      ({ receiver }) => (receiver.kind === 'destination' ? String(receiver.destinationId) : null),
    ],
    user: [
      NAMED.nullable(),
      ({ receiver, userName }) =>
        receiver.kind === 'user' ? { id: receiver.userId, name: userName ?? '' } : null,
    ],
    firings: [z.number(), 'firingsTotal'],
    attempts: z.number(),
    lastError: z.string().nullable(),
    lastStatus: z.number().nullable(),
    dateCreated: [TIME, ({ createdAt }) => isoOfMs(createdAt)],
    dateDue: [TIME, ({ dueAt }) => isoOfMs(dueAt)],
    dateDone: [TIME.nullable(), ({ doneAt }) => isoOfMsOrNull(doneAt)],
  },
  'Delivery',
);

const TEXT = z.string().max(4_000);

const NEW_DESTINATION = z.object({
  kind: z.enum(DESTINATION_KINDS),
  name: TEXT,
  /** By kind: see docs/destinations.md. */
  fields: z.record(z.string().max(100), TEXT),
});

const DESTINATION_CHANGE = NEW_DESTINATION.omit({ kind: true }).partial();

export const destinationOperations: readonly Operation[] = [
  get('organizations/[org]/destinations', {
    summary: "Lists an organization's alert destinations",
    scopes: ['alerts:read'],
    answer: z.array(DESTINATION),
    handle: async ({ ctx }) => (await listDestinations(ctx)).map(serializeDestination),
  }),

  post('organizations/[org]/destinations', {
    summary: 'Adds an alert destination',
    scopes: SHARED_OBJECT_RIGHTS,
    body: NEW_DESTINATION,
    answer: SAVED_DESTINATION,
    status: 201,
    handle: async ({ ctx, body }) => serializeSaved(await addDestination(ctx, body)),
  }),

  get('organizations/[org]/destinations/[destination]', {
    summary: 'Retrieves an alert destination',
    scopes: ['alerts:read'],
    answer: DESTINATION,
    handle: async ({ ctx, params }) =>
      serializeDestination(await getDestination(ctx, readDestinationId(params))),
  }),

  put('organizations/[org]/destinations/[destination]', {
    summary: 'Updates an alert destination; omitted secrets are kept',
    scopes: SHARED_OBJECT_RIGHTS,
    alsoScopes: ['alerts:read'],
    body: DESTINATION_CHANGE,
    answer: SAVED_DESTINATION,
    async handle({ ctx, params, body }) {
      const known = await getDestination(ctx, readDestinationId(params));
      const { host: _, ...config } = known.config;
      const saved = await updateDestination(ctx, {
        destinationId: known.id,
        name: body.name ?? known.name,
        fields: { ...config, ...body.fields },
      });
      return serializeSaved(saved);
    },
  }),

  del('organizations/[org]/destinations/[destination]', {
    summary: 'Removes an alert destination',
    scopes: SHARED_OBJECT_RIGHTS,
    answer: null,
    handle: async ({ ctx, params }) => removeDestination(ctx, readDestinationId(params)),
  }),

  post('organizations/[org]/destinations/[destination]/test', {
    summary: 'Sends a test message to a destination and returns the result',
    scopes: SHARED_OBJECT_RIGHTS,
    answer: DESTINATION_TEST,
    async handle({ ctx, params }) {
      const result = await testDestination(ctx, getServices().destinationSender, readDestinationId(params));
      const reason = result.kind === 'failed' ? result.reason : null;
      return { deliveryId: result.deliveryId, isSent: reason === null, reason };
    },
  }),

  get('organizations/[org]/destinations/[destination]/deliveries', {
    summary: "Lists a destination's deliveries in the last 30 days, newest first",
    scopes: ['alerts:read'],
    query: { ...PAGE },
    answer: z.array(DELIVERY),
    isPaged: true,
    async handle({ ctx, params, query, page }) {
      const input = { destinationId: readDestinationId(params), ruleId: null, limit: query.limit };
      return page(async (cursor) => {
        const { deliveries, nextCursor } = await listDeliveries(ctx, { ...input, cursor });
        return { rows: deliveries.map(serializeDelivery), nextCursor };
      });
    },
  }),
];

const serializeSaved = ({ destination, generatedSecret }: SavedDestination) => ({
  ...serializeDestination(destination),
  generatedSecret,
});

const readDestinationId = ({ destination }: { destination: string }): number =>
  readPathNumber(destination, `Destination "${destination.slice(0, 40)}" not found: use its ID`);
