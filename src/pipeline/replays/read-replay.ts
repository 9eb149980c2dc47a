import { parseEventId, parseUuid } from '#protocol/event-id.ts';
import type { DigestedReplay } from '#protocol/telemetry.ts';
import { parseTimestamp } from '#protocol/timestamp.ts';
import { headerOf } from '../filter/built-in-filters.ts';
import type { FilterReason } from '../filter/filters.ts';
import type { ItemContext } from '../item.ts';
import { correctClock } from '../normalize/clock.ts';
import { FieldReader, isSource, type Source } from '../normalize/field-reader.ts';
import { PATH_CHARS_MAX } from '../normalize/limits.ts';
import { normalizeOtherEvent } from '../normalize/normalize-event.ts';
import { cutText, toSafeText } from '../normalize/safe-text.ts';
import { parseJson } from '../parse-json.ts';
import { originOf } from '../telemetry/row-identity.ts';

/** URLs, error IDs and trace IDs of a segment, each, as in Relay. */
const LIST_ITEMS_MAX = 100;
/** Type of a replay. */
const TYPE_CHARS_MAX = 64;

/** Other fields that a replay has no use for. */
const UNUSED_FIELDS = ['breadcrumbs', 'debug_meta', 'extra', 'modules'] as const;

type ReadReplay =
  | { kind: 'replay'; row: DigestedReplay }
  | { kind: 'invalid'; reason: string }
  | { kind: 'filtered'; reason: FilterReason };

/**
 * Reads the event of a replay's segment: normalized with the normalizers of events, filtered, scrubbed.
 * Sources: relay-event-schema/src/protocol/replay.rs, relay-event-normalization/src/replay.rs.
 */
export function readReplay(bytes: Uint8Array, context: ItemContext): ReadReplay {
  const parsed = parseJson(bytes);
  if (parsed.kind === 'unparseable') return { kind: 'invalid', reason: 'invalid_json' };
  const sent = parsed.value;
  const replayId = parseEventId(sent.replay_id);
  const segmentId = parseSegmentId(sent.segment_id);
  const errorIds = idsOf(sent.error_ids);
  const traceIds = idsOf(sent.trace_ids);
  if (replayId === null || segmentId === null || errorIds === null || traceIds === null) {
    return { kind: 'invalid', reason: 'invalid_replay' };
  }

  const event = normalizeOtherEvent(
    sent,
    { bytes, unsafeText: parsed.unsafeText, ...context },
    UNUSED_FIELDS,
  );
  const filter = context.rules.filters.filterSender(
    {
      release: event.release ?? null,
      userAgent: headerOf(event.request?.headers, 'user-agent') ?? null,
      ipAddress: event.user?.ip_address ?? null,
      url: event.request?.url ?? null,
      headers: event.request?.headers ?? null,
    },
    context,
  );
  if (filter !== null) return { kind: 'filtered', reason: filter };

  const startedAt = startOf(sent, context);
  const contexts: Source = isSource(event.contexts) ? event.contexts : {};
  const ofContext = (kind: string, field: string): string | null =>
    textOf(isSource(contexts[kind]) ? contexts[kind][field] : null);
  const { type: _type, level: _level, logentry: _logentry, ...fields } = event;
  const payload = context.rules.scrubber.scrubRecord('replay', {
    ...fields,
    type: 'replay_event',
    replay_id: replayId,
    segment_id: segmentId,
    replay_type: typeOf(sent.replay_type),
    replay_start_timestamp: startedAt === null ? null : startedAt / 1000,
    urls: urlsOf(sent.urls, parsed.unsafeText),
    error_ids: errorIds,
    trace_ids: traceIds,
  });
  return {
    kind: 'replay',
    row: {
      ...originOf(context),
      replayId,
      segmentId,
      startedAt,
      occurredAt: Math.round(event.timestamp * 1000),
      replayType: typeOf(sent.replay_type),
      urls: textsOf(payload.urls),
      errorIds,
      traceIds,
      release: textOf(payload.release),
      environment: textOf(payload.environment),
      platform: event.platform,
      userId: userText(payload.user, 'id'),
      userEmail: userText(payload.user, 'email'),
      userUsername: userText(payload.user, 'username'),
      userIp: userText(payload.user, 'ip_address'),
      browserName: ofContext('browser', 'name'),
      browserVersion: ofContext('browser', 'version'),
      osName: ofContext('os', 'name'),
      osVersion: ofContext('os', 'version'),
      payload,
    },
  };
}

/** Ids that a segment saw; null when one of them is none. Ids of zeros, of which SDKs send some, are left out. */
function idsOf(value: unknown): string[] | null {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) return null;
  const ids: string[] = [];
  for (const each of value as readonly unknown[]) {
    if (each === null) continue;
    const uuid = parseUuid(each);
    if (uuid === null) return null;
    const id = parseEventId(uuid);
    if (id !== null && ids.length < LIST_ITEMS_MAX) ids.push(id);
  }
  return ids;
}

function urlsOf(value: unknown, unsafeText: boolean): string[] {
  return textsOf(value)
    .slice(0, LIST_ITEMS_MAX)
    .map((url) => cutText(url, PATH_CHARS_MAX))
    .map((url) => (unsafeText ? toSafeText(url) : url));
}

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

const userText = (user: unknown, field: string): string | null =>
  isSource(user) ? textOf(user[field]) : null;

function typeOf(value: unknown): string {
  return typeof value === 'string' && value !== '' ? toSafeText(cutText(value, TYPE_CHARS_MAX)) : 'session';
}

/** Milliseconds since the epoch, moved as the replay's own time was; null when it was not sent. */
function startOf(sent: Source, context: ItemContext): number | null {
  const started = parseTimestamp(sent.replay_start_timestamp);
  if (started === null) return null;
  const { shiftSeconds } = correctClock(new FieldReader(false), sent, context);
  return Math.max(0, Math.round((started + shiftSeconds) * 1000));
}

/** Largest segment number; a recording of an hour has a few hundred segments. */
const SEGMENT_ID_MAX = 2 ** 31 - 1;
/** First line of a recording. */
const HEADER_BYTES_MAX = 4_096;

const parseSegmentId = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= SEGMENT_ID_MAX
    ? value
    : null;

/**
 * The number of a recording's segment, from the line of JSON that it begins with. null when there is no such line, or
 * nothing after it. Source: relay-replays/src/recording.rs.
 */
export function readRecordingHeader(head: Uint8Array, bytes: number): number | null {
  const end = head.subarray(0, HEADER_BYTES_MAX).indexOf(0x0a);
  if (end <= 0 || end + 1 >= bytes) return null;
  try {
    const header: unknown = JSON.parse(Buffer.from(head.buffer, head.byteOffset, end).toString('utf8'));
    return typeof header === 'object' && header !== null && 'segment_id' in header
      ? parseSegmentId(header.segment_id)
      : null;
  } catch {
    return null;
  }
}
