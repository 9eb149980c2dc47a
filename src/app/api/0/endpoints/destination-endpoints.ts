import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import {
  DELIVERY,
  DESTINATION,
  DESTINATION_TEST,
  SAVED_DESTINATION,
} from '#app/api/0/schemas/destination.ts';
import { serializeDelivery, serializeDestination } from '#app/api/0/serializers/serialize-destination.ts';
import { notFound } from '#lib/errors.ts';
import { listDeliveries } from '#product/deliveries/deliveries.ts';
import { testDestination } from '#product/deliveries/test-destination.ts';
import { DESTINATION_KINDS } from '#product/destinations/destination-kinds.ts';
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
import type { OrganizationParams } from './organization-endpoints.ts';

export type DestinationParams = OrganizationParams & { destination: string };

const text = z.string().max(4_000);
const NEW_DESTINATION = z.object({
  kind: z.enum(DESTINATION_KINDS),
  name: text,
  /** By kind: see docs/destinations.md. */
  fields: z.record(z.string().max(100), text),
});
const DESTINATION_CHANGE = NEW_DESTINATION.omit({ kind: true }).partial();

const LIST = {
  summary: 'Lists the destinations of alerts of an organization',
  scopes: ['alerts:read'],
  answer: z.array(DESTINATION),
} satisfies Operation;

export const listDestinationsEndpoint = declare<OrganizationParams>(LIST, async ({ caller, params }) => {
  const destinations = await listDestinations(contextOf(caller, params.org));
  return { body: destinations.map(serializeDestination) };
});

const ADD = {
  summary: 'Adds a destination of alerts',
  scopes: SHARED_OBJECT_RIGHTS,
  body: NEW_DESTINATION,
  answer: SAVED_DESTINATION,
  status: 201,
} satisfies Operation;

export const addDestinationEndpoint = declare<OrganizationParams>(
  ADD,
  async ({ caller, params, request }) => {
    const ctx = contextOf(caller, params.org);
    const saved = await addDestination(ctx, await readJsonBody(request, NEW_DESTINATION));
    return { body: serializeSaved(saved), status: 201 };
  },
);

const GET = {
  summary: 'Answers a destination of alerts',
  scopes: ['alerts:read'],
  answer: DESTINATION,
} satisfies Operation;

export const getDestinationEndpoint = declare<DestinationParams>(GET, async ({ caller, params }) => {
  const destination = await getDestination(contextOf(caller, params.org), readDestinationId(params));
  return { body: serializeDestination(destination) };
});

const UPDATE = {
  summary: 'Changes a destination of alerts; secrets that are not given stay',
  scopes: SHARED_OBJECT_RIGHTS,
  alsoScopes: ['alerts:read'],
  body: DESTINATION_CHANGE,
  answer: SAVED_DESTINATION,
} satisfies Operation;

export const updateDestinationEndpoint = declare<DestinationParams>(UPDATE, async (call) => {
  const ctx = contextOf(call.caller, call.params.org);
  const body = await readJsonBody(call.request, DESTINATION_CHANGE);
  const known = await getDestination(ctx, readDestinationId(call.params));
  const { host: _, ...config } = known.config;
  const saved = await updateDestination(ctx, {
    destinationId: known.id,
    name: body.name ?? known.name,
    fields: { ...config, ...body.fields },
  });
  return { body: serializeSaved(saved) };
});

const REMOVE = {
  summary: 'Removes a destination of alerts',
  scopes: SHARED_OBJECT_RIGHTS,
  answer: null,
  status: 204,
} satisfies Operation;

export const removeDestinationEndpoint = declare<DestinationParams>(REMOVE, async ({ caller, params }) => {
  await removeDestination(contextOf(caller, params.org), readDestinationId(params));
  return { body: null, status: 204 };
});

const TEST = {
  summary: 'Sends a test message to a destination, and answers what became of it',
  scopes: SHARED_OBJECT_RIGHTS,
  answer: DESTINATION_TEST,
} satisfies Operation;

export const testDestinationEndpoint = declare<DestinationParams>(TEST, async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  const result = await testDestination(ctx, getServices().destinationSender, readDestinationId(params));
  const reason = result.kind === 'failed' ? result.reason : null;
  return { body: { deliveryId: result.deliveryId, isSent: reason === null, reason } };
});

const LOG = {
  summary: 'Lists what was sent to a destination in the last 30 days, newest first',
  scopes: ['alerts:read'],
  answer: z.array(DELIVERY),
  isPaged: true,
} satisfies Operation;

export const listDeliveriesEndpoint = declare<DestinationParams>(LOG, async ({ caller, params, url }) => {
  const ctx = contextOf(caller, params.org);
  const input = { destinationId: readDestinationId(params), ruleId: null, limit: readLimit(url) };
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const { deliveries, nextCursor } = await listDeliveries(ctx, { ...input, cursor });
    return { rows: deliveries.map(serializeDelivery), nextCursor };
  });
});

const serializeSaved = ({ destination, generatedSecret }: SavedDestination) => ({
  ...serializeDestination(destination),
  generatedSecret,
});

function readDestinationId({ destination }: DestinationParams): number {
  if (/^\d{1,15}$/.test(destination)) return Number(destination);
  throw notFound(`There is no destination "${destination.slice(0, 40)}": it is named by its number`);
}
