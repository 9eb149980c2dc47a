import { createHash } from 'node:crypto';
import type { EventType, ExceptionValue, Level, NormalizedEvent, Stacktrace } from '#protocol/event.ts';
import { parseEventId } from '#protocol/event-id.ts';
import { parseLevel } from '#protocol/level.ts';
import {
  ENVIRONMENT_EXPECTED,
  isEnvironmentName,
  isReleaseName,
  RELEASE_NAME_EXPECTED,
} from '#protocol/release-version.ts';
import type { GeoLookup } from '../item.ts';
import { normalizeBreadcrumbs } from './breadcrumbs.ts';
import { correctClock, shiftBreadcrumbs } from './clock.ts';
import { addUserAgentContexts, normalizeContexts } from './contexts.ts';
import { normalizeExceptions, normalizeThreads } from './exception.ts';
import { FieldReader, type Source } from './field-reader.ts';
import {
  CHECKSUM_CHARS_MAX,
  DEBUG_META_LIMITS,
  DIST_CHARS_MAX,
  EXTRA_LIMITS,
  FINGERPRINT_PARTS_MAX,
  LOGGER_CHARS_MAX,
  MESSAGE_CHARS_MAX,
  META_LIMITS,
  MODULES_MAX,
  NAME_CHARS_MAX,
  PLATFORM_CHARS_MAX,
  SECURITY_REPORT_LIMITS,
  TRANSACTION_CHARS_MAX,
} from './limits.ts';
import { normalizeLogEntry } from './logentry.ts';
import { normalizeRequest } from './request.ts';
import { cutText } from './safe-text.ts';
import { normalizeSdk } from './sdk.ts';
import { normalizeStacktrace, normalizeTemplate } from './stacktrace.ts';
import { normalizeTags, type Tag } from './tags.ts';
import { normalizeUser } from './user.ts';

/** What the edge knew of an event. */
export type EventOrigin = {
  /** Digest of the event's bytes and time of arrival, so that a replay finds the same event id. */
  bytes: Uint8Array;
  envelopeEventId: string | null;
  sentAtMs: number | null;
  receivedAtMs: number;
  clientIp: string | null;
  userAgent: string | null;
  unsafeText: boolean;
  /** Absent: addresses are not looked up. */
  lookUpGeo?: GeoLookup;
};

/** Fields that only errors have. */
const ERROR_FIELDS = ['exception', 'stacktrace', 'threads', 'logentry', 'message', 'fingerprint'] as const;

/** As `normalizeEvent`, for transactions, feedback and replays: they have no use for the fields of errors. */
export function normalizeOtherEvent(
  sent: Source,
  origin: EventOrigin,
  unused: readonly string[] = [],
): NormalizedEvent {
  const source: Record<string, unknown> = { ...sent };
  for (const key of [...ERROR_FIELDS, ...unused]) delete source[key];
  return normalizeEvent(source, origin);
}

/** Reads an event of any shape that SDKs sent over the years into the documented one. Never fails. */
export function normalizeEvent(sent: Source, origin: EventOrigin): NormalizedEvent {
  const reader = new FieldReader(origin.unsafeText);
  const source = renameLegacyKeys(sent);
  const clock = correctClock(reader, source, origin);
  const platform = platformOf(reader, source);
  const logentry = normalizeLogEntry(reader, source);
  const exception = normalizeExceptions(reader, source);
  const stacktrace = normalizeStacktrace(reader, source, 'stacktrace', '');
  const breadcrumbs = normalizeBreadcrumbs(reader, source);
  shiftBreadcrumbs(breadcrumbs, clock.shiftSeconds);
  const request = normalizeRequest(reader, source, origin.clientIp);
  const contexts = normalizeContexts(reader, source);
  addUserAgentContexts(contexts, { platform, request, senderUserAgent: origin.userAgent });
  const security = normalizeSecurityInterfaces(reader, source);
  const tags = normalizeTags(reader, source);
  const environment = nameOf(reader, source, 'environment', ENVIRONMENT_EXPECTED, isEnvironmentName);
  // Taken out in any case: beside the field it would contradict it.
  const environmentTag = takeTag(tags, 'environment');
  const event: NormalizedEvent = {
    event_id: eventIdOf(reader, source, origin),
    type: exception === undefined ? (typeOfSecurityEvent(security) ?? 'default') : 'error',
    level: levelOf(reader, source),
    platform,
    timestamp: clock.timestamp,
    received: origin.receivedAtMs / 1000,
    logger: reader.text(source, 'logger', '', LOGGER_CHARS_MAX)?.trim() || undefined,
    culprit: reader.text(source, 'culprit', '', TRANSACTION_CHARS_MAX)?.trim() || undefined,
    transaction: reader.text(source, 'transaction', '', TRANSACTION_CHARS_MAX)?.trim() || undefined,
    server_name: reader.text(source, 'server_name', '', NAME_CHARS_MAX) ?? takeTag(tags, 'server_name'),
    release: nameOf(reader, source, 'release', RELEASE_NAME_EXPECTED, isReleaseName),
    dist: nameOf(reader, source, 'dist', DIST_EXPECTED, isDist),
    environment: environment ?? environmentTag,
    logentry,
    ...placeStacktrace(exception, stacktrace),
    threads: normalizeThreads(reader, source),
    template: normalizeTemplate(reader, source),
    breadcrumbs,
    request,
    user: normalizeUser(reader, source, {
      platform,
      request,
      clientIp: origin.clientIp,
      lookUpGeo: origin.lookUpGeo,
    }),
    contexts: Object.keys(contexts).length === 0 ? undefined : contexts,
    tags,
    extra: reader.jsonObject(source, 'extra', '', EXTRA_LIMITS),
    modules: modulesOf(reader, source),
    sdk: normalizeSdk(reader, source),
    fingerprint: fingerprintOf(reader, source),
    checksum: checksumOf(reader, source),
    debug_meta: reader.jsonObject(source, 'debug_meta', '', DEBUG_META_LIMITS),
    ...security,
    _meta: reader.jsonObject(source, '_meta', '', META_LIMITS),
  };
  if (reader.problems.length > 0) event.errors = reader.problems;
  return event;
}

function platformOf(reader: FieldReader, source: Source): string {
  const platform = reader.text(source, 'platform', '', PLATFORM_CHARS_MAX)?.trim().toLowerCase();
  if (platform === undefined || platform === '') return 'other';
  if (/^[a-z0-9][a-z0-9._-]*$/.test(platform)) return platform;
  reader.invalid('', 'platform', 'a platform name', platform);
  return 'other';
}

/** The envelope's id wins, as in the reference: it is the one that the sender was answered. */
function eventIdOf(reader: FieldReader, source: Source, origin: EventOrigin): string {
  const sent = parseEventId(source.event_id);
  if (sent === null && source.event_id !== undefined && source.event_id !== null) {
    reader.invalid('', 'event_id', '32 hex digits', source.event_id);
  }
  return parseEventId(origin.envelopeEventId) ?? sent ?? deriveEventId(origin);
}

/** The same bytes of the same arrival give the same id, however often they are digested. */
const deriveEventId = (origin: EventOrigin): string =>
  createHash('md5').update(origin.bytes).update(String(origin.receivedAtMs)).digest('hex');

function levelOf(reader: FieldReader, source: Source): Level {
  const sent = source.level;
  if (sent === undefined || sent === null || sent === '') return 'error';
  const level = parseLevel(sent);
  if (level === null) reader.invalid('', 'level', 'fatal, error, warning, info, or debug', sent);
  return level ?? 'error';
}

/** A lone stack trace beside one exception that has none is that exception's. */
function placeStacktrace(
  exception: { values: readonly ExceptionValue[] } | undefined,
  stacktrace: Stacktrace | undefined,
): Pick<NormalizedEvent, 'exception' | 'stacktrace'> {
  const only = exception?.values.length === 1 ? exception.values[0] : undefined;
  if (stacktrace === undefined || only === undefined || only.stacktrace) return { exception, stacktrace };
  return { exception: { values: [{ ...only, stacktrace }] }, stacktrace: undefined };
}

/** A name that would be cut is none: another release could have the same beginning. */
function nameOf(
  reader: FieldReader,
  source: Source,
  key: 'release' | 'dist' | 'environment',
  expected: string,
  accepts: (name: string) => boolean,
): string | undefined {
  const sent = source[key];
  if (sent === undefined || sent === null || sent === '') return undefined;
  const text = reader.textOf(sent)?.trim();
  if (text === '') return undefined;
  if (text !== undefined && accepts(text)) return reader.safe(text);
  reader.invalid('', key, expected, sent);
  return undefined;
}

const DIST_EXPECTED = `at most ${DIST_CHARS_MAX} characters without control characters`;

const isDist = (name: string): boolean => name.length <= DIST_CHARS_MAX && !/\p{Cc}/u.test(name);

/** Takes a tag out that old SDKs sent in place of a field. */
function takeTag(tags: Tag[], key: 'environment' | 'server_name'): string | undefined {
  const index = tags.findIndex(([name]) => name === key);
  const value = tags[index]?.[1];
  if (value === undefined) return undefined;
  tags.splice(index, 1);
  return key === 'environment' && !isEnvironmentName(value) ? undefined : value;
}

function modulesOf(reader: FieldReader, source: Source): Record<string, string> | undefined {
  const modules = reader.object(source, 'modules', '');
  if (modules === undefined) return undefined;
  const versions: [string, string][] = [];
  for (const name of Object.keys(modules)) {
    if (versions.length >= MODULES_MAX) {
      reader.report('too_many_items', '', 'modules', `kept the first ${MODULES_MAX}`);
      break;
    }
    const version = reader.text(modules, name, 'modules', NAME_CHARS_MAX) ?? '';
    if (name !== '__proto__') versions.push([reader.shorten(name, 'modules', name, NAME_CHARS_MAX), version]);
  }
  return versions.length === 0 ? undefined : Object.fromEntries(versions);
}

/** A longer one is cut as in the reference, dots included: events are grouped by it. */
function checksumOf(reader: FieldReader, source: Source): string | undefined {
  const checksum = reader.text(source, 'checksum', '', MESSAGE_CHARS_MAX);
  if (checksum === undefined || checksum.length <= CHECKSUM_CHARS_MAX) return checksum;
  return `${cutText(checksum, CHECKSUM_CHARS_MAX - 3)}...`;
}

function fingerprintOf(reader: FieldReader, source: Source): string[] | undefined {
  const value = source.fingerprint;
  if (value === undefined || value === null) return undefined;
  const sent: readonly unknown[] = Array.isArray(value) ? value : [value];
  const parts: string[] = [];
  for (const [index, part] of sent.slice(0, FINGERPRINT_PARTS_MAX).entries()) {
    const text = reader.textOf(part);
    if (text !== undefined) parts.push(reader.shorten(text, 'fingerprint', String(index), NAME_CHARS_MAX));
    else if (part !== null) reader.invalid('fingerprint', String(index), 'a string', part);
  }
  return parts.length === 0 ? undefined : parts;
}

/** Names of the fields before they had short ones. Source: https://develop.sentry.dev/sdk/foundations/transport/event-payloads/ */
const LEGACY: readonly (readonly [string, string])[] = [
  ['sentry.interfaces.Exception', 'exception'],
  ['sentry.interfaces.Message', 'logentry'],
  ['sentry.interfaces.Stacktrace', 'stacktrace'],
  ['sentry.interfaces.Template', 'template'],
  ['sentry.interfaces.Http', 'request'],
  ['sentry.interfaces.User', 'user'],
  ['sentry.interfaces.Breadcrumbs', 'breadcrumbs'],
  ['sentry.interfaces.Threads', 'threads'],
  ['sentry.interfaces.Contexts', 'contexts'],
  ['sentry.interfaces.DebugMeta', 'debug_meta'],
  ['sentry.interfaces.Csp', 'csp'],
  ['sentry.interfaces.Sdk', 'sdk'],
];

/** The event with its fields under their present names; the same object when it has no old ones. */
export function renameLegacyKeys(event: Source): Source {
  const old = LEGACY.filter(([legacy]) => event[legacy] !== undefined);
  if (old.length === 0) return event;
  const renamed: Record<string, unknown> = { ...event };
  for (const [legacy, current] of old) {
    renamed[current] ??= event[legacy];
  }
  return renamed;
}

/** What browsers report, each under the name that is also the event's type. */
const NAMES = ['csp', 'hpkp', 'expectct', 'expectstaple', 'nel'] as const;

type SecurityInterfaces = Pick<NormalizedEvent, (typeof NAMES)[number]>;

/** Reads `csp`, `hpkp`, `expectct`, `expectstaple` and `nel`, within bounds and otherwise as they are. */
export function normalizeSecurityInterfaces(reader: FieldReader, source: Source): SecurityInterfaces {
  const interfaces: SecurityInterfaces = {};
  for (const name of NAMES) {
    const value = reader.jsonObject(source, name, '', SECURITY_REPORT_LIMITS);
    if (value !== undefined) interfaces[name] = value;
  }
  return interfaces;
}

/** The type of an event without exceptions that has these; null when it has none of them. */
export const typeOfSecurityEvent = (interfaces: SecurityInterfaces): EventType | null =>
  NAMES.find((name) => interfaces[name]) ?? null;
