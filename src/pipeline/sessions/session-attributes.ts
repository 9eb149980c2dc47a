import { createHash } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '#lib/time.ts';
import { parseTimestamp } from '#protocol/timestamp.ts';
import type { FilterReason } from '../filter/filters.ts';
import type { ItemContext } from '../item.ts';
import { correctClock } from '../normalize/clock.ts';
import { FieldReader } from '../normalize/field-reader.ts';
import { AUTO_IP, parseIpAddress } from '../normalize/ip-address.ts';
import { cutText, toSafeText } from '../normalize/safe-text.ts';

/** A session with a longer release is rejected. */
const RELEASE_CHARS_MAX = 250;
/** A longer environment is left out. */
const ENVIRONMENT_CHARS_MAX = 64;
/** User agent of a session. */
const USER_AGENT_CHARS_MAX = 512;
/** What neither a release nor an environment may hold: they stand in addresses. */
const BAD_CHARACTERS = /[\\/\r\n\t\f]/;
const RESTRICTED_RELEASES: ReadonlySet<string> = new Set(['.', '..', 'latest']);
const RESTRICTED_ENVIRONMENTS: ReadonlySet<string> = new Set(['.', '..', 'none']);

/** What an SDK says of the program that sessions belong to. */
export type SessionAttributes = {
  release: string;
  environment: string | null;
  userAgent: string | null;
  /** As sent: an address, `{{auto}}`, or nothing that can be read. */
  ipAddress: string | null;
};

/**
 * Reads `attrs`. null without a valid release: a session that belongs to no release says nothing. An invalid environment
 * is left out. Sources: `normalize_attributes` in relay-server/src/processing/sessions/process.rs; sentry-release-parser.
 */
export function readSessionAttributes(attrs: Readonly<Record<string, unknown>>): SessionAttributes | null {
  const release = textOf(attrs.release);
  if (release === null || !isValid(release, RELEASE_CHARS_MAX, RESTRICTED_RELEASES)) return null;
  const environment = textOf(attrs.environment);
  const userAgent = textOf(attrs.user_agent);
  return {
    release: toSafeText(release),
    environment:
      environment !== null && isValid(environment, ENVIRONMENT_CHARS_MAX, RESTRICTED_ENVIRONMENTS)
        ? toSafeText(environment)
        : null,
    userAgent: userAgent === null ? null : toSafeText(cutText(userAgent, USER_AGENT_CHARS_MAX)),
    ipAddress: textOf(attrs.ip_address),
  };
}

/** Trimmed; null when it is no text, or empty. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  return value.trim() || null;
}

const isValid = (name: string, charsMax: number, restricted: ReadonlySet<string>): boolean =>
  name.length <= charsMax && !BAD_CHARACTERS.test(name) && !restricted.has(name.toLowerCase());

/** How old a session may be when it arrives. */
const PAST_MAX_MS = 5 * DAY_MS;
/** How far ahead of its arrival a session may be dated. */
const FUTURE_MAX_MS = MINUTE_MS;

type Clock = Pick<ItemContext, 'sentAtMs' | 'receivedAtMs'>;

/** Milliseconds to add to what the sender's clock says; 0 unless it is off by 55 minutes or more. */
export function clockDriftMs(clock: Clock): number {
  // Without a timestamp of its own, an event is shifted by the drift and by nothing else.
  return Math.round(correctClock(new FieldReader(false), {}, clock).shiftSeconds * 1000);
}

/** RFC 3339 or seconds as milliseconds since the epoch; null when it is neither. */
export function millisecondsOf(value: unknown): number | null {
  const seconds = parseTimestamp(value);
  return seconds === null ? null : Math.round(seconds * 1000);
}

/**
 * Why a session of this moment (milliseconds since the epoch, after correction) is not taken; null when it is: not over
 * five days old, not more than a minute ahead. Unlike events, sessions are not moved: they would be counted on a wrong day.
 */
export function problemOfSessionTime(
  atMs: number,
  clock: Clock,
): 'past_timestamp' | 'future_timestamp' | null {
  if (clock.receivedAtMs - atMs > PAST_MAX_MS) return 'past_timestamp';
  return atMs - clock.receivedAtMs > FUTURE_MAX_MS ? 'future_timestamp' : null;
}

/** 16 hex digits in place of a distinct id, which may be an address or a name; null when there is none. */
export function hashDistinctId(distinctId: unknown): string | null {
  const text = typeof distinctId === 'number' ? String(distinctId) : distinctId;
  if (typeof text !== 'string' || text === '') return null;
  return createHash('sha256').update(text.toWellFormed()).digest('hex').slice(0, 16);
}

/** The inbound filter that a session meets, by what it says of its user and release; null lets it through. */
export function filterSession(attributes: SessionAttributes, context: ItemContext): FilterReason | null {
  const { ipAddress, release, userAgent } = attributes;
  const address = ipAddress === AUTO_IP ? context.clientIp : ipAddress;
  return context.rules.filters.filterSender(
    { release, userAgent, ipAddress: address === null ? null : parseIpAddress(address) },
    context,
  );
}
