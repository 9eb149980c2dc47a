import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatRateLimits, retryAfterSeconds as secondsUntilEnd } from '#protocol/rate-limits.ts';
import { OTLP_PROTOBUF } from './accept/accept-otlp.ts';
import { dashedEventId } from './accept/collected.ts';
import type { Accepted, IngestAnswer, Refused } from './accept/ingest-request.ts';
import type { AnswerForm } from './ingest-routes.ts';
import { REQUEST_BOUNDS } from './request-bounds.ts';

export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
} as const;

const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication, authorization, content-encoding, transfer-encoding, traceparent, sentry-trace, baggage',
  'access-control-max-age': '3600',
  'content-length': '0',
} as const;

/** What a browser asks before it sends. Source: relay-server/src/middlewares/cors.rs. */
export function answerPreflight(response: ServerResponse): void {
  response.writeHead(200, PREFLIGHT_HEADERS);
  response.end();
}

/** Answers in the form of the route; of a limit by 429, even when part of the request was taken. */
export function answerIngest(
  message: IncomingMessage,
  response: ServerResponse,
  route: { form: AnswerForm; hidesLimits: boolean },
  answer: IngestAnswer,
): void {
  if (answer.status !== 200) {
    refuse(message, response, answer);
    return;
  }
  if (answer.limits.length > 0 && !route.hidesLimits) {
    refuse(message, response, refuseLimited(answer));
    return;
  }
  const [status, contentType, body] = renderAccepted(message, route.form, answer);
  const { active = [] } = answer;
  if (active.length > 0 && !route.hidesLimits) {
    response.setHeader('x-sentry-rate-limits', formatRateLimits(active, Date.now()));
  }
  if (contentType === null) {
    response.writeHead(status, { 'content-length': 0, ...CORS_HEADERS });
    response.end();
    return;
  }
  if (contentType === 'application/json' && typeof body === 'string') {
    response.writeHead(status, body.length === 2 ? EMPTY_HEADERS : ID_HEADERS);
    // Head and body are all ASCII, and then leave in one write.
    response.end(body, 'latin1');
    return;
  }
  const headers = {
    'content-type': contentType,
    'content-length': body.length,
    ...CORS_HEADERS,
    ...(contentType === 'image/gif' && { 'cache-control': 'no-cache' }),
  };
  response.writeHead(status, headers);
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}

/** Made once: these are the answers to almost every request. */
const jsonHeaders = (text: string): string[] => [
  'content-type',
  'application/json',
  'content-length',
  String(text.length),
  ...Object.entries(CORS_HEADERS).flat(),
];
const EMPTY_HEADERS = jsonHeaders('{}');
const ID_HEADERS = jsonHeaders(`{"id":"${'0'.repeat(32)}"}`);

type Rendered = readonly [status: number, contentType: string | null, body: string | Buffer];

function renderAccepted(message: IncomingMessage, form: AnswerForm, { eventId }: Accepted): Rendered {
  switch (form) {
    case 'json id':
      return jsonId(eventId);
    case 'pixel or json id':
      return message.method === 'GET' ? [200, 'image/gif', PIXEL] : jsonId(eventId);
    case 'text id':
      return [200, 'text/plain; charset=utf-8', dashedEventId(eventId ?? '')];
    case 'otlp': {
      const isProtobuf = message.headers['content-type']?.toLowerCase().startsWith(OTLP_PROTOBUF);
      return isProtobuf ? [200, OTLP_PROTOBUF, ''] : [200, 'application/json', '{}'];
    }
    case 'empty 200':
      return [200, null, ''];
    case 'empty 201':
      return [201, null, ''];
    case 'empty 202':
      return [202, null, ''];
  }
}

const jsonId = (eventId: string | null): Rendered => [
  200,
  'application/json',
  eventId === null ? '{}' : `{"id":"${eventId}"}`,
];

/** One transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** 429: waits for what was refused; the header names every limit that is used up. */
function refuseLimited({ limits, active = [] }: Accepted): Refused {
  const nowMs = Date.now();
  const seconds = secondsUntilEnd(limits, nowMs) ?? REQUEST_BOUNDS.retryAfterSeconds;
  const names = [...new Set(limits.map(({ quota }) => quota.reasonCode))].join(', ');
  return {
    status: 429,
    detail: `Limit exceeded (${names}): try again in ${seconds} s, or raise the limit in the settings`,
    rateLimits: formatRateLimits([...limits, ...active], nowMs),
    retryAfterSeconds: seconds,
  };
}

/** Answers at once, then reads away a little of what is still coming, so that the sender gets to see the answer. */
function refuse(message: IncomingMessage, response: ServerResponse, answer: Refused): void {
  const headers: Record<string, string> = {
    ...CORS_HEADERS,
    // Header values must be printable ASCII.
    'x-sentry-error': answer.detail.replace(/[^\x20-\x7e]/g, '?').slice(0, 500),
  };
  if (answer.status === 503 || answer.status === 429) {
    headers['retry-after'] = String(answer.retryAfterSeconds ?? REQUEST_BOUNDS.retryAfterSeconds);
  }
  if (answer.rateLimits) headers['x-sentry-rate-limits'] = answer.rateLimits;
  answerJson(response, answer.status, { detail: answer.detail }, headers);
  drainRest(message);
}

/** Reads away a little of a refused body that is still coming, and then hangs up. */
export function drainRest(message: IncomingMessage): void {
  if (message.complete) return;
  // Closing with unread bytes would reset the connection, and the sender might never see the answer.
  let drainedBytes = 0;
  const close = () => message.socket.destroySoon();
  const timer = setTimeout(close, REQUEST_BOUNDS.drainMs);
  message.on('data', (chunk: Buffer) => {
    drainedBytes += chunk.length;
    if (drainedBytes > REQUEST_BOUNDS.drainBytesMax) close();
  });
  message.on('close', () => clearTimeout(timer));
  message.on('error', () => {});
  message.resume();
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
}
