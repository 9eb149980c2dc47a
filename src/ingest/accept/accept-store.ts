import { inflateRawSync, inflateSync } from 'node:zlib';
import { REQUEST_BOUNDS } from '../request-bounds.ts';
import { acceptEnvelope } from './accept-envelope.ts';
import { ERRORS_ONLY, isRefused, requireKey } from './authenticate.ts';
import { collectOne, makeEventId, readMinimalEvent } from './collected.ts';
import { type IngestAnswer, type IngestDeps, type IngestRequest, Refusal } from './ingest-request.ts';
import { spoolRequest, tooLargeEvent } from './spool-request.ts';

/**
 * Accepts the older `POST /api/<project>/store/`: one event, as JSON or as base64 of deflated JSON; and
 * `GET …/store/?sentry_data=` with the same. Source: relay-server/src/endpoints/store.rs.
 */
export async function acceptStore(deps: IngestDeps, request: IngestRequest): Promise<IngestAnswer> {
  const contentType = request.message.headers['content-type'] ?? '';
  if (contentType.toLowerCase().startsWith('application/x-sentry-envelope'))
    return acceptEnvelope(deps, request);
  const key = await requireKey(deps, request);
  if (isRefused(key)) return key;
  return spoolRequest(deps, request, key, 'event', async (reading) => {
    const body =
      request.message.method === 'GET'
        ? readQuery(request)
        : await reading.takeWhole(REQUEST_BOUNDS.eventBytesMax);
    const payload = unpackBody(body);
    const { eventId, type } = readMinimalEvent(payload);
    const itemType = itemTypeOf(type);
    if (key.isInternal && itemType !== 'event') throw new Refusal(403, ERRORS_ONLY, 'errors_only');
    return collectOne(itemType, payload, eventId ?? makeEventId());
  });
}

function readQuery({ query }: IngestRequest): Buffer {
  const data = query.get('sentry_data');
  if (!data)
    throw new Refusal(400, 'The query has no sentry_data: send the event in it, or use POST', 'no_data');
  // In a query, a plus that was not escaped reads as a blank.
  return Buffer.from(data.includes('{') ? data : data.replaceAll(' ', '+'));
}

/** Older SDKs sent everything here and said in the payload what it is. */
const itemTypeOf = (eventType: string | null): string => {
  if (eventType === 'transaction' || eventType === 'feedback') return eventType;
  return eventType && SECURITY_TYPES.has(eventType) ? 'security' : 'event';
};
const SECURITY_TYPES: ReadonlySet<string> = new Set(['csp', 'hpkp', 'expectct', 'expectstaple']);

const OPENING_BRACE = 0x7b;
const NEITHER =
  'The body is neither JSON nor base64-encoded deflated JSON: send the event as JSON, or an envelope to /envelope/';

/** Throws Refusal. */
function unpackBody(body: Buffer): Buffer {
  if (firstByte(body) === OPENING_BRACE) return body;
  const packed = Buffer.from(body.toString('latin1'), 'base64');
  if (packed.length === 0) throw new Refusal(400, NEITHER, 'invalid_body');
  return firstByte(packed) === OPENING_BRACE ? packed : inflate(packed);
}

/** With zlib's frame or without. Throws Refusal. */
function inflate(packed: Buffer): Buffer {
  const options = { maxOutputLength: REQUEST_BOUNDS.eventBytesMax };
  try {
    return inflateSync(packed, options);
  } catch (error) {
    if (error instanceof RangeError) throw tooLargeEvent();
  }
  try {
    return inflateRawSync(packed, options);
  } catch (error) {
    if (error instanceof RangeError) throw tooLargeEvent();
    throw new Refusal(400, NEITHER, 'invalid_body');
  }
}

/** After a byte order mark and blanks; -1 when there is none. */
function firstByte(bytes: Buffer): number {
  for (const byte of bytes) if (!BLANKS.has(byte)) return byte;
  return -1;
}
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);
