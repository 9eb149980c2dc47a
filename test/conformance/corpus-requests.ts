import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Dsn, newEventId } from '../harness/envelope.ts';

/** One file of a corpus, made ready to be sent: a fresh id, the DSN of the receiving project, current times. */
export type CorpusRequest = {
  /** Relative to the corpus. */
  file: string;
  path: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array<ArrayBuffer>;
  /** Of the event that must be readable when the answer is 200; null when the file brings none. */
  eventId: string | null;
};

/** Every file of the corpus that is a payload, in the order of its name. */
export function listCorpusFiles(corpus: string): string[] {
  return readdirSync(corpus, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(corpus, file)).isFile())
    .filter((file) => isPayload(file.split(path.sep).join('/')))
    .sort();
}

const FOLDERS = /^(events[^/]*|envelopes|minidumps|grouping[^/]*|fingerprinting)\//;
const isPayload = (file: string): boolean => FOLDERS.test(file) && !/README|\.md$|LICEN[CS]E/i.test(file);

/** null when the file holds no payload (for example a list of rules). */
export function readCorpusRequest(corpus: string, file: string, dsn: Dsn): CorpusRequest | null {
  const bytes = readFileSync(path.join(corpus, file));
  const auth = {
    'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${dsn.publicKey}, sentry_client=corpus/1.0`,
  };
  const folder = file.split(/[\\/]/)[0] ?? '';
  if (folder === 'minidumps') return minidumpRequest(file, bytes, dsn, auth);
  if (folder === 'envelopes') return envelopeRequest(file, bytes, dsn, auth);
  const event = findEvent(bytes);
  if (!event) return null;
  const eventId = newEventId();
  const sent = moveToNow({ ...event, event_id: eventId, timestamp: Date.now() / 1000 }, 0);
  const header = JSON.stringify({
    event_id: eventId,
    sent_at: new Date().toISOString(),
    dsn: formatDsn(dsn),
  });
  const body = Buffer.from(`${header}\n{"type":"event"}\n${JSON.stringify(sent)}\n`);
  return { file, path: `/api/${dsn.projectId}/envelope/`, headers: auth, body, eventId };
}

/** The event itself, or the one in a test case that has more to it. */
function findEvent(bytes: Buffer): Record<string, unknown> | null {
  const value = parseJson(bytes.toString('utf8'));
  if (!isRecord(value)) return null;
  const inner = isRecord(value.input) ? value.input : value;
  const { _grouping, _fingerprinting_rules, ...event } = inner;
  return Object.keys(event).length > 0 ? event : null;
}

function minidumpRequest(file: string, bytes: Buffer, dsn: Dsn, auth: Record<string, string>): CorpusRequest {
  const boundary = `corpus-${newEventId()}`;
  const body = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="upload_file_minidump"; filename="${path.basename(file)}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
    ),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return {
    file,
    path: `/api/${dsn.projectId}/minidump/`,
    headers: { ...auth, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
    eventId: null,
  };
}

/** Broken envelopes are sent as broken as they are: only a header line that can be read is brought up to date. */
function envelopeRequest(file: string, bytes: Buffer, dsn: Dsn, auth: Record<string, string>): CorpusRequest {
  const request = { file, path: `/api/${dsn.projectId}/envelope/`, headers: auth };
  const end = bytes.indexOf(10);
  const header = parseJson((end === -1 ? bytes : bytes.subarray(0, end)).toString('utf8'));
  if (!isRecord(header)) return { ...request, body: Buffer.from(bytes), eventId: null };
  const eventId = typeof header.event_id === 'string' ? newEventId() : null;
  const fresh = {
    ...header,
    ...(eventId === null ? {} : { event_id: eventId }),
    ...('dsn' in header ? { dsn: formatDsn(dsn) } : {}),
    ...('sent_at' in header ? { sent_at: new Date().toISOString() } : {}),
  };
  const rest = end === -1 ? Buffer.alloc(0) : refreshItems(bytes.subarray(end + 1), eventId);
  return {
    ...request,
    body: Buffer.concat([Buffer.from(`${JSON.stringify(fresh)}\n`), rest]),
    // Whether it brings an error, only the answer tells.
    eventId: /"type"\s*:\s*"event"/.test(bytes.toString('latin1')) ? eventId : null,
  };
}

/** Moves the times of JSON items to now, and says their new length; the first thing that is odd ends the work. */
function refreshItems(bytes: Buffer, eventId: string | null): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf(10, at);
    const header = end === -1 ? null : parseJson(bytes.subarray(at, end).toString('utf8'));
    if (!isRecord(header)) break;
    const length = typeof header.length === 'number' ? header.length : null;
    const newline = bytes.indexOf(10, end + 1);
    const stop = length === null ? (newline === -1 ? bytes.length : newline) : end + 1 + length;
    if (stop > bytes.length) break;
    const payload = bytes.subarray(end + 1, stop);
    const value = parseJson(payload.toString('utf8'));
    let body: Buffer = payload;
    if (isRecord(value) && !payload.includes(10)) {
      const shifted = moveToNow(value, shiftOf(value));
      if (eventId !== null && 'event_id' in shifted) shifted.event_id = eventId;
      body = Buffer.from(JSON.stringify(shifted));
    }
    const fresh = length === null ? header : { ...header, length: body.length };
    parts.push(Buffer.from(`${JSON.stringify(fresh)}\n`), body, Buffer.from('\n'));
    at = stop + (bytes[stop] === 10 ? 1 : 0);
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

/** Seconds from the payload's own time to now. */
function shiftOf(value: Record<string, unknown>): number {
  const own = value.timestamp ?? value.end_timestamp ?? value.started;
  const at = typeof own === 'number' ? own : typeof own === 'string' ? Date.parse(own) / 1000 : Number.NaN;
  return Number.isFinite(at) ? Date.now() / 1000 - at : 0;
}

const TIMES = new Set(['timestamp', 'start_timestamp', 'end_timestamp', 'started', 'observed_timestamp']);

function moveToNow(value: Record<string, unknown>, shift: number): Record<string, unknown> {
  if (shift === 0) return { ...value };
  const move = (node: unknown, key: string): unknown => {
    if (Array.isArray(node)) return node.map((each) => move(each, key));
    if (isRecord(node))
      return Object.fromEntries(Object.entries(node).map(([name, each]) => [name, move(each, name)]));
    if (!TIMES.has(key)) return node;
    if (typeof node === 'number' && node > 1e9 && node < 1e10) return node + shift;
    if (typeof node === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(node) && Number.isFinite(Date.parse(node))) {
      return new Date(Date.parse(node) + shift * 1000).toISOString();
    }
    return node;
  };
  return move(value, '') as Record<string, unknown>;
}

const formatDsn = (dsn: Dsn): string =>
  dsn.origin.replace('://', `://${dsn.publicKey}@`).concat(`/${dsn.projectId}`);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
