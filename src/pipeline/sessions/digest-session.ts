import { parseUuid } from '#protocol/event-id.ts';
import type { DigestedSession } from '#protocol/telemetry.ts';
import { accepted, type DigestItem, discarded } from '../item.ts';
import { isSource, type Source } from '../normalize/field-reader.ts';
import { parseJson } from '../parse-json.ts';
import { originOf, rowIdOf } from '../telemetry/row-identity.ts';
import {
  clockDriftMs,
  filterSession,
  hashDistinctId,
  millisecondsOf,
  problemOfSessionTime,
  readSessionAttributes,
} from './session-attributes.ts';

type Status = DigestedSession['status'];
const STATUSES: ReadonlySet<string> = new Set<Status>([
  'ok',
  'exited',
  'errored',
  'crashed',
  'abnormal',
  'unhandled',
]);
const MECHANISMS: ReadonlySet<unknown> = new Set(['anr_foreground', 'anr_background']);
/** Sequence numbers beyond 63 bits come from a counter that overflowed. */
const SEQUENCE_MAX = 2 ** 63;
/** Errors of one session: 32 bits. */
const ERRORS_MAX = 2 ** 32 - 1;

/**
 * Understands one update of a session. Refused without a release or a start, over five days old or from the future; with
 * a status that nobody knows. Sources: relay-event-schema/src/protocol/session.rs,
 * relay-server/src/processing/sessions/process.rs.
 */
export const digestSession: DigestItem = (item, context) => {
  const parsed = parseJson(item.payload);
  if (parsed.kind === 'unparseable') return discarded('session', 'invalid_json');
  const sent = parsed.value;
  const session = readSession(sent, item.itemId, context.receivedAtMs);
  if (session === null || !isSource(sent.attrs)) return discarded('session', 'invalid_session');

  const driftMs = clockDriftMs(context);
  const startedAt = session.startedAt + driftMs;
  // An update cannot be older than the session itself.
  const occurredAt = Math.max(
    startedAt,
    session.sentTimestamp ? session.occurredAt + driftMs : session.occurredAt,
  );
  const problem = problemOfSessionTime(occurredAt, context) ?? problemOfSessionTime(startedAt, context);
  if (problem !== null) return discarded('session', problem);

  const attributes = readSessionAttributes(sent.attrs);
  if (attributes === null) return discarded('session', 'invalid_release');
  const filter = filterSession(attributes, context);
  if (filter !== null) return discarded('session', filter, 'filtered');

  const row: DigestedSession = {
    ...originOf(context),
    rowId: rowIdOf(item.itemId, 0),
    kind: 'session',
    sessionId: session.sessionId,
    distinctIdHash: hashDistinctId(sent.did),
    seq: session.seq,
    isInit: sent.init === true,
    startedAt,
    occurredAt,
    durationSeconds: durationOf(sent.duration),
    status: session.status,
    errors: session.errors,
    ...endOf(session.status, session.errors),
    release: attributes.release,
    environment: attributes.environment,
    abnormalMechanism: MECHANISMS.has(sent.abnormal_mechanism) ? String(sent.abnormal_mechanism) : null,
    userAgent: attributes.userAgent,
  };
  return accepted('session', { sessions: [row] });
};

type SessionCore = {
  sessionId: string;
  seq: number;
  status: Status;
  errors: number;
  /** Milliseconds since the epoch, by the sender's clock. */
  startedAt: number;
  occurredAt: number;
  /** Whether `occurredAt` was sent; else it is the time of arrival. */
  sentTimestamp: boolean;
};

/** null when a field that must be there is missing or of a wrong kind. */
function readSession(sent: Source, itemId: string, receivedAtMs: number): SessionCore | null {
  const startedAt = millisecondsOf(sent.started);
  const timestamp = isAbsent(sent.timestamp) ? null : millisecondsOf(sent.timestamp);
  if (startedAt === null || (timestamp === null && !isAbsent(sent.timestamp))) return null;
  const status = sent.status ?? 'ok';
  const sessionId = isAbsent(sent.sid) ? itemId : parseUuid(sent.sid);
  const seq = isAbsent(sent.seq) ? receivedAtMs : countOf(sent.seq, SEQUENCE_MAX);
  const errors = isAbsent(sent.errors) ? 0 : countOf(sent.errors, Number.MAX_SAFE_INTEGER);
  if (typeof status !== 'string' || !STATUSES.has(status)) return null;
  if (sessionId === null || seq === null || errors === null) return null;
  return {
    sessionId,
    seq,
    status: status as Status,
    errors: Math.min(errors, ERRORS_MAX),
    startedAt,
    occurredAt: timestamp ?? receivedAtMs,
    sentTimestamp: timestamp !== null,
  };
}

/** How the session ended, as far as this update knows: 1 in exactly one. Errors make a healthy session an errored one. */
function endOf(
  status: Status,
  errors: number,
): Pick<DigestedSession, 'exited' | 'errored' | 'crashed' | 'abnormal' | 'unhandled'> {
  const healthy = status === 'ok' || status === 'exited';
  const end = healthy ? (errors > 0 ? 'errored' : 'exited') : status;
  return { exited: 0, errored: 0, crashed: 0, abnormal: 0, unhandled: 0, [end]: 1 };
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** A whole number from 0 to below `max`; null for anything else. */
const countOf = (value: unknown, max: number): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < max ? value : null;

const durationOf = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
