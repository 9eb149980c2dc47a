import { z } from 'zod';
import { EMPTY_LIST, each, idOf, isoMs, NULL, shapeOf } from '#app/api/0/shape.ts';
import { type EventEntry, serializeEventEntries } from '#app/api/0/shapes/event-entries.ts';
import { META, serializeMeta } from '#app/api/0/shapes/event-meta.ts';
import { OCCURRENCE, serializeOccurrence } from '#app/api/0/shapes/occurrence.ts';
import { EVENT_TYPE, LEVEL, TAG } from '#app/api/0/shapes/parts.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { eventMetadata } from '#product/events/event-metadata.ts';
import { type NormalizedEvent, type ProcessingError, type UserInfo, wireTypeOf } from '#protocol/event.ts';
import type { EventSummary, StoredEvent } from '#storage/ports/events.ts';

const TEXT = z.string();
const TEXT_OR_NULL = TEXT.nullable();
const RECORD = z.record(TEXT, z.unknown());

export const [SUMMARY_USER, serializeSummaryUser] = shapeOf<EventSummary['user']>()(
  { ...each(TEXT_OR_NULL, 'id', 'email', 'username'), ip_address: [TEXT_OR_NULL, 'ip'] },
  'SummaryUser',
);

/** An event as lists show it. Source: https://docs.sentry.io/api/events/list-an-issues-events/ */
export const [EVENT_SUMMARY, serializeEventSummary] = shapeOf<EventSummary, [issue: Issue | null]>()(
  {
    ...each([TEXT, 'eventId'], 'id', 'eventID'),
    'event.type': [EVENT_TYPE, (_, issue) => wireTypeOf(issue?.type ?? 'error')],
    groupID: [TEXT_OR_NULL, (_, issue) => issue && String(issue.id)],
    projectID: idOf('projectId'),
    ...each(TEXT, 'title', 'message', 'platform', 'culprit'),
    location: NULL,
    metadata: [z.object({ title: TEXT }), ({ title }) => ({ title })],
    user: [
      SUMMARY_USER.nullable(),
      ({ user }) => (Object.values(user).some(Boolean) ? serializeSummaryUser(user) : null),
    ],
    tags: [z.array(TAG), ({ tags }) => serializeTags(tags)],
    dateCreated: isoMs('occurredAt'),
    crashFile: NULL,
  },
  'EventSummary',
);

const [USER, serializeUser] = shapeOf<UserInfo>()(
  {
    id: [TEXT_OR_NULL, ({ id }) => id ?? null],
    email: [TEXT_OR_NULL, ({ email }) => email ?? null],
    username: [TEXT_OR_NULL, ({ username }) => username ?? null],
    name: [TEXT_OR_NULL, ({ name }) => name ?? null],
    ip_address: [TEXT_OR_NULL, (user) => user.ip_address ?? null],
    geo: [z.record(TEXT, TEXT).nullable(), ({ geo }) => geo ?? null],
    data: [RECORD.nullable(), ({ data }) => data ?? null],
  },
  'EventUser',
);

const [ERROR, serializeError] = shapeOf<ProcessingError>()(
  {
    type: TEXT,
    message: [TEXT, ({ type, reason }) => reason ?? type.replaceAll('_', ' ')],
    data: [
      z.object({ name: TEXT, reason: TEXT.optional(), value: z.unknown().optional() }),
      ({ type: _, ...data }) => data,
    ],
  },
  'EventError',
);

/** Only known fields are present. */
export const EVENT_METADATA = z
  .object(each(TEXT, 'type', 'value', 'title', 'filename', 'function', 'name', 'contact_email'))
  .partial();

/** Ids of the events beside one in its issue; null at either end. */
export type Neighbors = { previousId: string | null; nextId: string | null };

type EventParts = Omit<StoredEvent, 'tags'> & {
  groupID: string | null;
  metadata: ReturnType<typeof eventMetadata>;
  tags: ReturnType<typeof serializeTags>;
  entries: readonly EventEntry[];
  neighbors: Neighbors;
};

export const [EVENT, writeEvent] = shapeOf<EventParts>()(
  {
    ...each([TEXT, 'eventId'], 'id', 'eventID'),
    groupID: TEXT_OR_NULL,
    projectID: idOf('projectId'),
    ...each(TEXT, 'title', 'message', 'platform'),
    level: LEVEL,
    dateCreated: isoMs('occurredAt'),
    dateReceived: isoMs('receivedAt'),
    culprit: TEXT,
    location: [TEXT_OR_NULL, ({ metadata }) => metadata.filename ?? null],
    user: [USER.nullable(), ({ payload }) => (payload.user ? serializeUser(payload.user) : null)],
    tags: z.array(TAG),
    contexts: [RECORD, ({ payload }) => serializeContexts(payload)],
    context: [RECORD, ({ payload }) => payload.extra ?? {}],
    packages: [z.record(TEXT, TEXT), ({ payload }) => payload.modules ?? {}],
    sdk: [
      z.object({ name: TEXT_OR_NULL, version: TEXT_OR_NULL }).nullable(),
      ({ payload: { sdk } }) => (sdk ? { name: sdk.name ?? null, version: sdk.version ?? null } : null),
    ],
    entries: z.array(z.object({ type: TEXT, data: z.unknown() })),
    errors: [z.array(ERROR), ({ payload }) => (payload.errors ?? []).map((error) => serializeError(error))],
    release: [
      z.object({ version: TEXT }).nullable(),
      ({ release }) => (release === null ? null : { version: release }),
    ],
    dist: [TEXT_OR_NULL, ({ payload }) => payload.dist ?? null],
    fingerprints: [z.array(TEXT), ({ groupingHash }) => [groupingHash]],
    size: [z.number(), ({ payload }) => Buffer.byteLength(JSON.stringify(payload))],
    // Not a field of the reference: spike protection left the body out, and entries and contexts with it.
    isBodySampled: z.boolean(),
    ...each(NULL, 'crashFile', 'userReport'),
    occurrence: [OCCURRENCE.nullable(), (event) => serializeOccurrence(event)],
    ...each(EMPTY_LIST, 'sdkUpdates', 'resolvedWith'),
    nextEventID: [TEXT_OR_NULL, ({ neighbors }) => neighbors.nextId],
    previousEventID: [TEXT_OR_NULL, ({ neighbors }) => neighbors.previousId],
    _meta: [META, ({ payload, entries, tags }) => serializeMeta(payload, entries, tags)],
    type: [EVENT_TYPE, ({ payload }) => wireTypeOf(payload.type)],
    metadata: EVENT_METADATA,
  },
  'Event',
);

/** What events of every kind have in common. */
export const ANY_EVENT = EVENT.omit({ type: true, metadata: true });

/**
 * An event with everything that is stored of it. `issue` is null when its issue is gone.
 * Source of the fields: https://docs.sentry.io/api/events/retrieve-an-event-for-a-project/
 */
export const serializeEvent = (event: StoredEvent, issue: Issue | null, neighbors: Neighbors) =>
  writeEvent({
    ...event,
    groupID: issue && String(issue.id),
    metadata: eventMetadata(event),
    tags: serializeTags(event.tags),
    entries: serializeEventEntries(event.payload),
    neighbors,
  });

function serializeTags(tags: EventSummary['tags']) {
  return tags.map(([key, value]) => ({ key, value })).sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** Each context names its type; SDKs leave it out where it is the context's own key. */
function serializeContexts(event: NormalizedEvent): Record<string, unknown> {
  const contexts = Object.entries(event.contexts ?? {});
  return Object.fromEntries(contexts.map(([key, context]) => [key, { type: key, ...context }]));
}
