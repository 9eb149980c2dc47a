import { eventMetadata } from '#product/events/event-metadata.ts';
import { wireTypeOf } from '#protocol/event.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { AlertIssue } from '../alert-message.ts';

const EVENT_BYTES_MAX = 256 * 1_024;

/** What is left out of an event that is too large, the least useful first. */
const LEFT_OUT_FIRST = [
  '_meta',
  'debug_meta',
  'modules',
  'threads',
  'extra',
  'breadcrumbs',
  'contexts',
  'request',
  'exception',
  'stacktrace',
] as const;

type Place = { publicUrl: string; organizationSlug: string; atMs: number };
type Payload = Record<string, unknown>;

/** The event of an issue as Sentry's webhooks have it; one of a test without an issue. */
export function eventPayload(entry: AlertIssue | null, place: Place): Payload {
  if (entry === null) return testEvent(place);
  const { issue, event } = entry;
  return {
    ...(event ? bounded({ ...event.payload, ...ofEvent(event) }) : ofIssue(entry)),
    project: issue.projectId,
    issue_id: String(issue.id),
    issue_url: `${place.publicUrl}/api/0/issues/${issue.id}/`,
    ...(event && {
      url: `${place.publicUrl}/api/0/projects/${place.organizationSlug}/${issue.projectSlug}/events/${event.eventId}/`,
    }),
    web_url: event ? `${entry.url}/events/${event.eventId}` : entry.url,
  };
}

const ofEvent = (event: StoredEvent): Payload => ({
  event_id: event.eventId,
  title: event.title,
  culprit: event.culprit,
  message: event.message,
  location: eventMetadata(event).filename ?? null,
  metadata: eventMetadata(event),
  datetime: new Date(event.occurredAt).toISOString(),
  timestamp: event.occurredAt / 1_000,
  release: event.release,
  dist: event.payload.dist ?? null,
  environment: event.environment,
  logger: event.payload.logger ?? '',
  hashes: [event.groupingHash],
  fingerprint: event.payload.fingerprint ?? ['{{ default }}'],
  tags: event.tags,
  time_spent: null,
  version: '7',
});

/** The event is gone, or was never kept: what is known of the issue stands for it. */
const ofIssue = ({ issue, title, culprit, release }: AlertIssue): Payload => ({
  event_id: null,
  type: wireTypeOf(issue.type),
  title,
  culprit,
  message: '',
  location: issue.metadata.filename ?? null,
  metadata: issue.metadata,
  level: issue.level,
  platform: issue.platform,
  datetime: new Date(issue.lastSeen).toISOString(),
  timestamp: issue.lastSeen / 1_000,
  release,
  logger: issue.logger ?? '',
  tags: [['level', issue.level]],
  version: '7',
});

const testEvent = ({ publicUrl, organizationSlug, atMs }: Place): Payload => ({
  event_id: '0'.repeat(32),
  type: 'default',
  title: 'This is a test',
  culprit: '',
  message: 'This is a test',
  location: null,
  metadata: { title: 'This is a test' },
  level: 'info',
  platform: 'other',
  project: 0,
  issue_id: '0',
  issue_url: `${publicUrl}/api/0/issues/0/`,
  url: `${publicUrl}/api/0/projects/${organizationSlug}/`,
  web_url: `${publicUrl}/${organizationSlug}/issues`,
  datetime: new Date(atMs).toISOString(),
  timestamp: atMs / 1_000,
  release: null,
  logger: '',
  tags: [['level', 'info']],
  version: '7',
});

function bounded(event: Payload): Payload {
  const kept = { ...event };
  const left: string[] = [];
  let bytes = bytesOf(kept);
  for (const part of LEFT_OUT_FIRST) {
    if (bytes <= EVENT_BYTES_MAX) break;
    if (kept[part] === undefined) continue;
    bytes -= bytesOf(kept[part]);
    delete kept[part];
    left.push(part);
  }
  return left.length === 0 ? kept : { ...kept, errata_left_out: left };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
