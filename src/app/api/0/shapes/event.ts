import { z } from 'zod';
import { serializeEventEntries } from '#app/api/0/shapes/event-entries.ts';
import { META, serializeMeta } from '#app/api/0/shapes/event-meta.ts';
import { EVENT_TYPE, LEVEL, TAG } from '#app/api/0/shapes/parts.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { eventMetadata } from '#product/events/event-metadata.ts';
import type { NormalizedEvent, ProcessingError, UserInfo } from '#protocol/event.ts';
import type { EventSummary, StoredEvent } from '#storage/ports/events.ts';

export const SUMMARY_USER = z
  .object({
    id: z.string().nullable(),
    email: z.string().nullable(),
    username: z.string().nullable(),
    ip_address: z.string().nullable(),
  })
  .meta({ id: 'SummaryUser' });

export const EVENT_SUMMARY = z
  .object({
    id: z.string(),
    eventID: z.string(),
    'event.type': EVENT_TYPE,
    groupID: z.string().nullable(),
    projectID: z.string(),
    title: z.string(),
    message: z.string(),
    platform: z.string(),
    culprit: z.string(),
    location: z.null(),
    metadata: z.object({ title: z.string() }),
    user: SUMMARY_USER.nullable(),
    tags: z.array(TAG),
    dateCreated: z.string(),
    crashFile: z.null(),
  })
  .meta({ id: 'EventSummary' });

const USER = z
  .object({
    id: z.string().nullable(),
    email: z.string().nullable(),
    username: z.string().nullable(),
    name: z.string().nullable(),
    ip_address: z.string().nullable(),
    geo: z.record(z.string(), z.string()).nullable(),
    data: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'EventUser' });

const ERROR = z
  .object({
    type: z.string(),
    message: z.string(),
    data: z.object({ name: z.string(), reason: z.string().optional(), value: z.unknown().optional() }),
  })
  .meta({ id: 'EventError' });

/** What events of every kind have in common. */
export const ANY_EVENT = z.object({
  id: z.string(),
  eventID: z.string(),
  groupID: z.string().nullable(),
  projectID: z.string(),
  title: z.string(),
  message: z.string(),
  platform: z.string(),
  level: LEVEL,
  dateCreated: z.string(),
  dateReceived: z.string(),
  culprit: z.string(),
  location: z.string().nullable(),
  user: USER.nullable(),
  tags: z.array(TAG),
  contexts: z.record(z.string(), z.unknown()),
  context: z.record(z.string(), z.unknown()),
  packages: z.record(z.string(), z.string()),
  sdk: z.object({ name: z.string().nullable(), version: z.string().nullable() }).nullable(),
  entries: z.array(z.object({ type: z.string(), data: z.unknown() })),
  errors: z.array(ERROR),
  release: z.object({ version: z.string() }).nullable(),
  dist: z.string().nullable(),
  fingerprints: z.array(z.string()),
  size: z.number(),
  isBodySampled: z.boolean(),
  crashFile: z.null(),
  userReport: z.null(),
  occurrence: z.null(),
  sdkUpdates: z.array(z.unknown()),
  resolvedWith: z.array(z.unknown()),
  nextEventID: z.string().nullable(),
  previousEventID: z.string().nullable(),
  _meta: META,
});

/** Only what is known stands there. */
export const EVENT_METADATA = z
  .object({
    type: z.string(),
    value: z.string(),
    title: z.string(),
    filename: z.string(),
    function: z.string(),
  })
  .partial();

export const EVENT = ANY_EVENT.extend({ type: EVENT_TYPE, metadata: EVENT_METADATA }).meta({ id: 'Event' });

/** Ids of the events beside one in its issue; null at either end. */
export type Neighbours = { previousId: string | null; nextId: string | null };

/**
 * An event with everything that is stored of it. `issue` is null when its issue is gone.
 * Source of the fields: https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/
 */
export function serializeEvent(event: StoredEvent, issue: Issue | null, neighbours: Neighbours) {
  const { payload } = event;
  const metadata = eventMetadata(event);
  const tags = serializeTags(event.tags);
  const entries = serializeEventEntries(payload);
  return {
    id: event.eventId,
    eventID: event.eventId,
    groupID: issue && String(issue.id),
    projectID: String(event.projectId),
    title: event.title,
    message: event.message,
    platform: event.platform,
    type: payload.type,
    level: event.level,
    dateCreated: new Date(event.occurredAt).toISOString(),
    dateReceived: new Date(event.receivedAt).toISOString(),
    culprit: event.culprit,
    location: metadata.filename ?? null,
    metadata,
    user: payload.user ? serializeUser(payload.user) : null,
    tags,
    contexts: serializeContexts(payload),
    context: payload.extra ?? {},
    packages: payload.modules ?? {},
    sdk: payload.sdk ? { name: payload.sdk.name ?? null, version: payload.sdk.version ?? null } : null,
    entries,
    errors: (payload.errors ?? []).map(serializeError),
    release: event.release === null ? null : { version: event.release },
    dist: payload.dist ?? null,
    fingerprints: [event.groupingHash],
    size: Buffer.byteLength(JSON.stringify(payload)),
    // Not a field of the reference: spike protection left the body out, and entries and contexts with it.
    isBodySampled: event.isBodySampled,
    crashFile: null,
    userReport: null,
    occurrence: null,
    sdkUpdates: [],
    resolvedWith: [],
    nextEventID: neighbours.nextId,
    previousEventID: neighbours.previousId,
    _meta: serializeMeta(payload, entries, tags),
  };
}

/** An event as lists show it. Source: https://docs.sentry.io/api/events/list-an-issues-events/ */
export function serializeEventSummary(event: EventSummary, issue: Issue | null) {
  return {
    id: event.eventId,
    eventID: event.eventId,
    'event.type': issue?.type ?? 'error',
    groupID: issue && String(issue.id),
    projectID: String(event.projectId),
    title: event.title,
    message: event.message,
    platform: event.platform,
    culprit: event.culprit,
    location: null,
    metadata: { title: event.title },
    user: serializeSummaryUser(event),
    tags: serializeTags(event.tags),
    dateCreated: new Date(event.occurredAt).toISOString(),
    crashFile: null,
  };
}

function serializeUser(user: UserInfo) {
  return {
    id: user.id ?? null,
    email: user.email ?? null,
    username: user.username ?? null,
    name: user.name ?? null,
    ip_address: user.ip_address ?? null,
    geo: user.geo ?? null,
    data: user.data ?? null,
  };
}

function serializeSummaryUser({ user }: EventSummary) {
  if (!user.id && !user.email && !user.username && !user.ip) return null;
  return { id: user.id, email: user.email, username: user.username, ip_address: user.ip };
}

function serializeTags(tags: EventSummary['tags']) {
  return tags.map(([key, value]) => ({ key, value })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Each context names its type; SDKs leave it out where it is the context's own key. */
function serializeContexts(event: NormalizedEvent): Record<string, unknown> {
  const contexts = Object.entries(event.contexts ?? {});
  return Object.fromEntries(contexts.map(([key, context]) => [key, { type: key, ...context }]));
}

function serializeError({ type, ...data }: ProcessingError) {
  return { type, message: data.reason ?? type.replaceAll('_', ' '), data };
}
