import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { inflateSync } from 'node:zlib';
import { isErrataError } from '#lib/errors.ts';
import { parseIngestAuth } from '#protocol/auth.ts';
import { parseDsn } from '#protocol/dsn.ts';
import {
  EnvelopeError,
  type EnvelopeHeader,
  EnvelopeReader,
  type ItemDecision,
  type ItemHeader,
} from '#protocol/envelope.ts';
import type { KeyAdmission } from '#storage/ports/projects.ts';
import type { SpoolWriter } from '#storage/ports/spool.ts';
import { readClientReport } from './client-report.ts';
import { categoryOf } from './item-types.ts';
import type { KeyTable } from './key-table.ts';
import { LIMITS } from './limits.ts';
import type { OutcomeCounter } from './outcome-counter.ts';
import { BodyError, readBody } from './read-body.ts';
import { encodeRecord, type RecordOutcome } from './spool-record.ts';

export type IngestDeps = { keys: KeyTable; spool: SpoolWriter; outcomes: OutcomeCounter };

export type IngestRequest = {
  message: IncomingMessage;
  /** From the path; null where the route has none. */
  projectId: number | null;
  query: Pick<URLSearchParams, 'get'>;
  /** After trusted proxies; null when unknown. */
  clientIp: string | null;
  /** Set for the tunnel: only the envelope's own DSN counts, and its key must belong to this organization. */
  tunnel?: { organizationId: number };
};

/** `detail` is null exactly for status 200. */
export type IngestAnswer =
  | { status: 200; eventId: string | null }
  | { status: 400 | 401 | 403 | 413 | 503; detail: string };

/** Accepts `POST /api/<project>/envelope/`: answers 200 only after the spool has synced it to disk. */
export async function acceptEnvelope(deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer> {
  const key = await authenticate(deps, request);
  if (key && 'status' in key) return key;
  return readAndSpool(deps, request, key, async (take) => {
    const reader = new EnvelopeReader(decide);
    await take((chunk) => {
      reader.push(chunk);
      if (!key && reader.header && reader.header.dsn === null) throw new Refusal(401, MISSING_AUTH);
    });
    const header = reader.end();
    const admitted = await matchDsn(deps, request, key, header);
    return { key: admitted, ...collectItems(reader, header), sentAtMs: header.sentAtMs };
  });
}

/** Accepts the older `POST /api/<project>/store/`: one event, as JSON or as base64 of deflated JSON. */
export async function acceptStore(deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer> {
  const key = await authenticate(deps, request);
  if (key && 'status' in key) return key;
  if (!key) return { status: 401, detail: MISSING_AUTH };
  return readAndSpool(deps, request, key, async (take) => {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    await take((chunk) => {
      bytes += chunk.length;
      if (bytes > LIMITS.eventBytesMax) throw tooLargeEvent();
      parts.push(chunk);
    });
    const payload = unpackStoreBody(Buffer.concat(parts));
    const eventId = readEventId(payload) ?? makeEventId();
    return { key, eventId, sentAtMs: null, items: [{ type: 'event', payload }], outcomes: [] };
  });
}

type Collected = {
  eventId: string | null;
  items: { type: string; payload: Uint8Array }[];
  outcomes: RecordOutcome[];
};

class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 413 | 503;
  readonly reason: string;
  constructor(status: 400 | 401 | 403 | 413 | 503, message: string, reason = 'invalid') {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

const MISSING_AUTH =
  'No key was sent: send the X-Sentry-Auth header, ?sentry_key= or the DSN in the envelope header';

/** The key that the request's headers or query name; null when they name none (the envelope's header may). */
async function authenticate(
  deps: IngestDeps,
  request: IngestRequest,
): Promise<KeyAdmission | Exclude<IngestAnswer, { status: 200 }> | null> {
  if (request.tunnel) return null;
  const { headers } = request.message;
  const auth = parseIngestAuth(
    { xSentryAuth: headerText(headers, 'x-sentry-auth'), authorization: headers.authorization },
    request.query,
  );
  if (auth.kind === 'none') return null;
  if (auth.kind === 'refused') return { status: auth.status, detail: auth.detail };
  try {
    return await admit(deps, auth.publicKey, request.projectId);
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, detail: error.message };
    throw error;
  }
}

/** Throws Refusal. */
async function admit(deps: IngestDeps, publicKey: string, projectId: number | null): Promise<KeyAdmission> {
  const found = deps.keys.find(publicKey);
  const lookup = found instanceof Promise ? await found : found;
  const short = `${publicKey.slice(0, 6)}…`;
  if (lookup.kind === 'unavailable') {
    throw new Refusal(503, `Key ${short} cannot be looked up while the database is away: try again later`);
  }
  if (lookup.kind === 'unknown') throw new Refusal(403, `No project has the key ${short}: check the DSN`);
  const { key } = lookup;
  if (projectId !== null && key.projectId !== projectId) {
    deps.outcomes.add(key, 'error', 'invalid', 'project_mismatch');
    throw new Refusal(403, `Project ${projectId} not found for key ${short}: check the DSN`);
  }
  if (!key.isActive) {
    deps.outcomes.add(key, 'error', 'invalid', 'disabled_key');
    throw new Refusal(
      403,
      `Key ${short} is disabled: enable it in the project's settings, or use another DSN`,
    );
  }
  return key;
}

/** The DSN of the envelope's header must name the same key and project as the request. Throws Refusal. */
async function matchDsn(
  deps: IngestDeps,
  request: IngestRequest,
  key: KeyAdmission | null,
  header: EnvelopeHeader,
): Promise<KeyAdmission> {
  if (header.dsn === null) {
    if (!key) throw new Refusal(401, MISSING_AUTH);
    return key;
  }
  const dsn = parseDsn(header.dsn);
  if (!dsn) throw new Refusal(400, 'The dsn in the envelope header is no DSN', 'invalid_dsn');
  const projectId = request.projectId ?? key?.projectId ?? dsn.projectId;
  if ((key && dsn.publicKey !== key.publicKey) || dsn.projectId !== projectId) {
    throw new Refusal(
      400,
      'The dsn in the envelope header is not the one the request was sent to',
      'dsn_mismatch',
    );
  }
  if (key) return key;
  if (!request.tunnel) return admit(deps, dsn.publicKey, projectId);
  const admitted = await admit(deps, dsn.publicKey, dsn.projectId);
  if (admitted.organizationId !== request.tunnel.organizationId) {
    throw new Refusal(
      400,
      `Organization ${request.tunnel.organizationId} does not own the key: check o and p`,
    );
  }
  return admitted;
}

function decide(header: ItemHeader): ItemDecision {
  if (header.type === 'event') return { kind: 'keep', bytesMax: LIMITS.eventBytesMax };
  if (header.type === 'client_report') return { kind: 'keep', bytesMax: LIMITS.clientReportBytesMax };
  return { kind: 'skip' };
}

/** Throws Refusal. */
function collectItems(reader: EnvelopeReader, header: EnvelopeHeader): Collected {
  const items: { type: string; payload: Uint8Array }[] = [];
  const outcomes: RecordOutcome[] = [];
  for (const item of reader.items) {
    if (item.payload && item.header.type === 'client_report') {
      outcomes.push(...readClientReport(item.payload));
    } else if (item.payload) {
      items.push({ type: item.header.type, payload: item.payload });
    } else {
      outcomes.push({
        category: categoryOf(item.header.type),
        outcome: 'filtered',
        reason: 'unsupported_item',
        quantity: Math.max(1, Math.min(item.header.itemCount ?? 1, QUANTITY_MAX)),
      });
    }
  }
  if (items.length > 1) throw new Refusal(400, 'An envelope may hold one event only', 'duplicate_item');
  const sent = header.eventId === null ? null : canonicalEventId(header.eventId);
  if (header.eventId !== null && sent === null) {
    throw new Refusal(400, 'The event_id of the envelope is not 32 hex digits', 'invalid_event_id');
  }
  const [event] = items;
  const eventId = sent ?? (event ? (readEventId(event.payload) ?? makeEventId()) : null);
  return { eventId, items, outcomes };
}

/** A container may not claim more than this many elements. */
const QUANTITY_MAX = 10_000;

let inFlightBytes = 0;

/** Reads the body by `read`, appends the record, and turns every expected failure into an answer with an outcome. */
async function readAndSpool(
  deps: IngestDeps,
  request: IngestRequest,
  key: KeyAdmission | null,
  read: (
    take: (use: (chunk: Uint8Array) => void) => Promise<void>,
  ) => Promise<Collected & { key: KeyAdmission; sentAtMs: number | null }>,
): Promise<IngestAnswer> {
  const declared = Number(request.message.headers['content-length'] ?? 0);
  // A body that says it is too large is refused before a byte of it is read.
  const reserved = Math.min(Math.max(declared, 16_384), LIMITS.eventBytesMax);
  if (inFlightBytes + reserved > LIMITS.inFlightBytesMax) {
    return { status: 503, detail: 'Too many requests are under way: try again later' };
  }
  inFlightBytes += reserved;
  const receivedAtMs = Date.now();
  try {
    if (declared > LIMITS.envelopeBytesMax) {
      throw new BodyError(413, `The body is larger than ${LIMITS.envelopeBytesMax} bytes`);
    }
    const collected = await read((use) => readBody(request.message, LIMITS.envelopeBytesMax, use));
    if (collected.items.length > 0 || collected.outcomes.length > 0) {
      await deps.spool.append(
        encodeRecord({
          organizationId: collected.key.organizationId,
          projectId: collected.key.projectId,
          keyId: collected.key.keyId,
          receivedAtMs,
          sentAtMs: collected.sentAtMs,
          eventId: collected.eventId,
          clientIp: request.clientIp,
          userAgent: request.message.headers['user-agent']?.slice(0, 512) ?? null,
          isReplay: false,
          items: collected.items,
          outcomes: collected.outcomes,
        }),
      );
    }
    return { status: 200, eventId: collected.eventId };
  } catch (error) {
    return answerFailure(deps, key, error);
  } finally {
    inFlightBytes -= reserved;
  }
}

/** Throws what is nobody's expected failure. */
function answerFailure(deps: IngestDeps, key: KeyAdmission | null, error: unknown): IngestAnswer {
  if (error instanceof Refusal) {
    if (key && error.status !== 503) deps.outcomes.add(key, 'error', 'invalid', error.reason);
    return { status: error.status, detail: error.message };
  }
  if (error instanceof EnvelopeError) {
    const isTooLarge = error.kind === 'too_large';
    if (key) deps.outcomes.add(key, 'error', 'invalid', isTooLarge ? 'too_large' : 'invalid_envelope');
    return { status: isTooLarge ? 413 : 400, detail: error.message };
  }
  if (error instanceof BodyError) {
    if (key) deps.outcomes.add(key, 'error', 'invalid', error.status === 413 ? 'too_large' : 'invalid_body');
    return { status: error.status, detail: error.message };
  }
  if (isErrataError(error) && error.code === 'unavailable') return { status: 503, detail: error.message };
  throw error;
}

const tooLargeEvent = () =>
  new BodyError(413, `The event is larger than ${LIMITS.eventBytesMax} bytes: send fewer or shorter fields`);

/** Older SDKs send base64 of zlib-deflated JSON. Throws BodyError. */
function unpackStoreBody(body: Buffer): Buffer {
  if (body.length === 0) throw new BodyError(400, 'The body is empty');
  const first = body[0];
  if (first === 0x7b || first === 0x20 || first === 0x0a) return body;
  try {
    return inflateSync(Buffer.from(body.toString('latin1'), 'base64'), {
      maxOutputLength: LIMITS.eventBytesMax,
    });
  } catch (error) {
    if (error instanceof RangeError) throw tooLargeEvent();
    throw new BodyError(400, 'The body is neither JSON nor base64 of deflated JSON');
  }
}

/** The id inside a payload, for senders that do not repeat it in the envelope's header; null when there is none. */
function readEventId(payload: Uint8Array): string | null {
  try {
    const parsed: unknown = JSON.parse(
      Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString(),
    );
    const id =
      typeof parsed === 'object' && parsed !== null ? (parsed as { event_id?: unknown }).event_id : null;
    return typeof id === 'string' ? canonicalEventId(id) : null;
  } catch {
    // Digest says what is wrong with the payload.
    return null;
  }
}

function canonicalEventId(text: string): string | null {
  const id = text.replaceAll('-', '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(id) ? id : null;
}

const makeEventId = (): string => randomBytes(16).toString('hex');

const headerText = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(',') : value;
};
