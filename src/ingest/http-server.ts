import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Log } from '#lib/log.ts';
import { acceptEnvelope, acceptStore, type IngestAnswer, type IngestDeps } from './accept.ts';
import { clientAddress } from './client-address.ts';
import type { EdgeMetrics } from './edge-metrics.ts';
import { LIMITS } from './limits.ts';
import { proxyToWeb } from './proxy-to-web.ts';
import { BodyError } from './read-body.ts';
import { acceptTunnel } from './tunnel.ts';

/** Result of one check of `/health/ready`. */
export type Check = { ok: boolean; detail: string };

export type EdgeServerDeps = IngestDeps & {
  log: Log;
  metrics: EdgeMetrics;
  trustedProxies: BlockList | null;
  tunnelRegions: ReadonlyMap<string, string>;
  /** Port of the web role on loopback; null when this machine does not run it. */
  webPort: () => number | null;
  checkHealth: () => Promise<Readonly<Record<string, Check>>>;
};

type ReadonlyQuery = Pick<URLSearchParams, 'get'>;

/** The one public port: answers ingest and health itself, passes everything else to the web role. */
export function createEdgeServer(deps: EdgeServerDeps): Server {
  const server = createServer(
    {
      headersTimeout: LIMITS.headersTimeoutMs,
      requestTimeout: LIMITS.requestTimeoutMs,
      keepAliveTimeout: 65_000,
    },
    (message, response) => {
      route(deps, message, response).catch((error: unknown) => {
        deps.log.error(
          { error: String(error), stack: (error as Error)?.stack },
          'A request failed in the edge',
        );
        if (!response.headersSent)
          answerJson(response, 500, { detail: 'The edge failed on this request: see its log' });
        else response.destroy();
      });
    },
  );
  server.maxConnections = LIMITS.connectionsMax;
  return server;
}

async function route(
  deps: EdgeServerDeps,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = message.url ?? '/';
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);

  const ingest = INGEST_PATH.exec(path);
  if (ingest) {
    const kind = ingest[2] === 'store' ? 'store' : 'envelope';
    const projectId = ingest[1] === undefined ? null : Number(ingest[1]);
    await answerIngest(deps, message, response, kind, (query, clientIp) => {
      const request = { message, projectId, query, clientIp };
      return kind === 'store' ? acceptStore(deps, request) : acceptEnvelope(deps, request);
    });
    return;
  }
  if (path === '/monitoring') {
    await answerIngest(deps, message, response, 'tunnel', (query, clientIp) =>
      acceptTunnel(deps, deps.tunnelRegions, { message, query, clientIp }),
    );
    return;
  }
  if (path === '/health/live') {
    answerJson(response, 200, { status: 'ok' });
    return;
  }
  if (path === '/health/ready') {
    await answerReady(deps, response);
    return;
  }
  if (path === '/metrics') {
    await answerMetrics(deps, response);
    return;
  }
  const webPort = deps.webPort();
  const client = clientAddress(message, deps.trustedProxies);
  if (webPort === null)
    answerJson(response, 404, { detail: 'This machine runs no web role: see errata serve --roles' });
  else proxyToWeb(message, response, webPort, client);
}

/** `/api/<project>/envelope/`, `/api/<project>/store/`, and the oldest form without a project. */
const INGEST_PATH = /^\/api\/(?:(\d{1,15})\/(envelope|store)|(?:store))\/?$/;

const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
} as const;

const NO_QUERY: ReadonlyQuery = new URLSearchParams();

const PREFLIGHT_HEADERS = {
  ...CORS_HEADERS,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication, authorization, content-encoding, transfer-encoding, traceparent, sentry-trace, baggage',
  'access-control-max-age': '3600',
} as const;

async function answerIngest(
  deps: EdgeServerDeps,
  message: IncomingMessage,
  response: ServerResponse,
  routeName: 'envelope' | 'store' | 'tunnel',
  accept: (query: ReadonlyQuery, clientIp: string | null) => Promise<IngestAnswer>,
): Promise<void> {
  if (message.method === 'OPTIONS') {
    response.writeHead(200, { ...PREFLIGHT_HEADERS, 'content-length': '0' });
    response.end();
    return;
  }
  if (message.method !== 'POST') {
    answerJson(
      response,
      405,
      { detail: 'Events are sent by POST' },
      { ...CORS_HEADERS, allow: 'POST, OPTIONS' },
    );
    return;
  }
  const startedAt = performance.now();
  const target = message.url ?? '';
  const mark = target.indexOf('?');
  const query = mark === -1 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1));
  let answer: IngestAnswer;
  try {
    answer = await accept(query, clientAddress(message, deps.trustedProxies).ip);
  } catch (error) {
    if (!(error instanceof BodyError)) throw error;
    answer = { status: error.status, detail: error.message };
  }
  deps.metrics.seconds.observe((performance.now() - startedAt) / 1000);
  deps.metrics.answers.inc({ route: routeName, status: String(answer.status) });
  if (answer.status === 200) {
    const text = answer.eventId === null ? '{}' : `{"id":"${answer.eventId}"}`;
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': text.length,
      ...CORS_HEADERS,
    });
    // Head and body are all ASCII, and then leave in one write.
    response.end(text, 'latin1');
    return;
  }
  refuse(message, response, answer);
}

/** Answers at once, then reads away a little of what is still coming, so that the sender gets to see the answer. */
function refuse(
  message: IncomingMessage,
  response: ServerResponse,
  answer: Exclude<IngestAnswer, { status: 200 }>,
): void {
  const headers: Record<string, string> = {
    ...CORS_HEADERS,
    // Header values must be printable ASCII.
    'x-sentry-error': answer.detail.replace(/[^\x20-\x7e]/g, '?').slice(0, 500),
  };
  if (answer.status === 503) headers['retry-after'] = String(LIMITS.retryAfterSeconds);
  answerJson(response, answer.status, { detail: answer.detail }, headers);
  if (message.complete) return;
  // Closing with unread bytes would reset the connection, and the sender might never see the answer.
  let drainedBytes = 0;
  const close = () => message.socket.destroySoon();
  const timer = setTimeout(close, LIMITS.drainMs);
  message.on('data', (chunk: Buffer) => {
    drainedBytes += chunk.length;
    if (drainedBytes > LIMITS.drainBytesMax) close();
  });
  message.on('close', () => clearTimeout(timer));
  message.on('error', () => {});
  message.resume();
}

async function answerReady(deps: EdgeServerDeps, response: ServerResponse): Promise<void> {
  const checks = await deps.checkHealth();
  const isReady = Object.values(checks).every(({ ok }) => ok);
  for (const [part, { ok }] of Object.entries(checks)) deps.metrics.up.set({ part }, ok ? 1 : 0);
  answerJson(response, isReady ? 200 : 503, { status: isReady ? 'ok' : 'unavailable', checks });
}

async function answerMetrics(deps: EdgeServerDeps, response: ServerResponse): Promise<void> {
  deps.metrics.spoolBytes.set(deps.spool.sizeBytes());
  for (const [part, { ok }] of Object.entries(await deps.checkHealth())) {
    deps.metrics.up.set({ part }, ok ? 1 : 0);
  }
  response.writeHead(200, { 'content-type': deps.metrics.registry.contentType });
  response.end(await deps.metrics.registry.metrics());
}

function answerJson(
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
