import { parseJson } from '#pipeline/parse-json.ts';
import { parseUuid } from '#protocol/event-id.ts';
import { REQUEST_BOUNDS } from '../request-bounds.ts';
import { isRefused, requireOpenKey } from './authenticate.ts';
import { collectOne } from './collected.ts';
import { type IngestAnswer, type IngestDeps, type IngestRequest, Refusal } from './ingest-request.ts';
import { type Reading, spoolRequest } from './spool-request.ts';

/** Without an id a check-in is about the latest one of its monitor. */
const NO_ID = '0'.repeat(32);

/**
 * Accepts `GET` and `POST /api/<project>/cron/<slug>[/<key>]`: a check-in in the query, in a form or, with the monitor's
 * schedule, in JSON. Source: relay-server/src/endpoints/monitor.rs.
 */
export async function acceptCheckIn(
  deps: IngestDeps,
  request: IngestRequest,
  slug: string,
): Promise<IngestAnswer> {
  const key = await requireOpenKey(deps, request, 'check_in');
  if (isRefused(key)) return key;
  return spoolRequest(deps, request, key, 'check_in', async (reading) => {
    const checkIn = { ...(await readCheckIn(request, reading)), monitor_slug: slug };
    return collectOne('check_in', Buffer.from(JSON.stringify(checkIn)), null);
  });
}

/** Throws Refusal. */
async function readCheckIn(request: IngestRequest, reading: Reading): Promise<Record<string, unknown>> {
  const contentType = (request.message.headers['content-type'] ?? '').toLowerCase();
  if (contentType.startsWith('application/json')) return readJson(reading);
  if (contentType.startsWith('application/x-www-form-urlencoded')) {
    const parts: Uint8Array[] = [];
    await reading.take(REQUEST_BOUNDS.checkInBytesMax, (chunk) => {
      reading.lease.charge(chunk.length);
      parts.push(chunk);
    });
    const form = new URLSearchParams(Buffer.concat(parts).toString('utf8'));
    return readFields((name) => form.get(name) ?? request.query.get(name));
  }
  // What else the body may be, as the reference, which does not look at it.
  await reading.take(REQUEST_BOUNDS.checkInBytesMax, () => {});
  return readFields((name) => request.query.get(name));
}

async function readJson(reading: Reading): Promise<Record<string, unknown>> {
  const parsed = parseJson(await reading.takeWhole(REQUEST_BOUNDS.checkInBytesMax));
  if (parsed.kind === 'unparseable') {
    throw new Refusal(400, `The check-in could not be parsed: ${parsed.detail}`, 'invalid_json');
  }
  const { status, check_in_id: id } = parsed.value;
  if (typeof status !== 'string') throw missingStatus();
  if (id !== undefined && id !== null && parseUuid(id) === null) throw invalidId();
  return { ...parsed.value, check_in_id: id ?? NO_ID };
}

function readFields(get: (name: string) => string | null): Record<string, unknown> {
  const status = get('status');
  if (!status) throw missingStatus();
  const sentId = get('check_in_id');
  const id = sentId ? parseUuid(sentId) : NO_ID;
  if (id === null) throw invalidId();
  const duration = get('duration');
  if (duration && !Number.isFinite(Number(duration))) {
    throw new Refusal(400, 'The duration is not a number: send it in seconds', 'invalid_check_in');
  }
  const environment = get('environment');
  return {
    check_in_id: id,
    status,
    ...(environment && { environment }),
    ...(duration && { duration: Number(duration) }),
  };
}

const missingStatus = () =>
  new Refusal(400, 'The check-in has no status: send ok, error, or in_progress', 'invalid_check_in');
const invalidId = () =>
  new Refusal(400, 'The check_in_id is not a valid UUID: fix it or omit it', 'invalid_check_in');
