import type { Issue } from '#domain/issues/issue.ts';
import { eventMetadata } from '#product/events/event-metadata.ts';
import type { NormalizedEvent, ProcessingError, UserInfo } from '#protocol/event.ts';
import type { EventSummary, StoredEvent } from '#storage/ports/events.ts';
import { serializeEventEntries } from './serialize-event-entries.ts';
import { serializeMeta } from './serialize-meta.ts';

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
