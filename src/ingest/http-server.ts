import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Log } from '#lib/log.ts';
import type { IngestAnswer, IngestDeps, IngestRequest } from './accept/ingest-request.ts';
import { answerIngest, answerJson, answerPreflight, CORS_HEADERS } from './answer-ingest.ts';
import { clientAddress } from './client-address.ts';
import type { EdgeMetrics } from './edge-metrics.ts';
import { findIngestRoute, type IngestRoute } from './ingest-routes.ts';
import { LIMITS } from './limits.ts';
import { proxyToWeb } from './proxy-to-web.ts';
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
  /** Other than the usual ones, for tests that wait for them. */
  limits?: Partial<ServerLimits>;
};

type ServerLimits = Record<
  'headersTimeoutMs' | 'requestTimeoutMs' | 'timeoutCheckMs' | 'connectionsMax',
  number
>;

/** The one public port: answers ingest and health itself, passes everything else to the web role. */
export function createEdgeServer(deps: EdgeServerDeps): Server {
  const limits: ServerLimits = { ...LIMITS, ...deps.limits };
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      keepAliveTimeout: 65_000,
      maxHeaderSize: LIMITS.headerBytesMax,
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
  server.maxConnections = limits.connectionsMax;
  server.maxHeadersCount = LIMITS.headersMax;
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

  const ingest = path === '/monitoring' ? tunnelRoute(deps) : findIngestRoute(path);
  if (ingest) {
    const query = mark === -1 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1));
    await handleIngest(deps, message, response, ingest, query);
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

const NO_QUERY: IngestRequest['query'] = new URLSearchParams();

const tunnelRoute = (deps: EdgeServerDeps): IngestRoute => ({
  name: 'tunnel',
  methods: ['POST'],
  form: 'json id',
  hidesLimits: false,
  projectId: null,
  pathKey: null,
  accept: (_deps, request) => acceptTunnel(deps, deps.tunnelRegions, request),
});

async function handleIngest(
  deps: EdgeServerDeps,
  message: IncomingMessage,
  response: ServerResponse,
  route: IngestRoute,
  query: IngestRequest['query'],
): Promise<void> {
  if (message.method === 'OPTIONS') {
    answerPreflight(response);
    return;
  }
  if (!route.methods.some((method) => method === message.method)) {
    const allowed = route.methods.join(' and ');
    answerJson(
      response,
      405,
      { detail: `This address takes ${allowed}: send it so` },
      { ...CORS_HEADERS, allow: [...route.methods, 'OPTIONS'].join(', ') },
    );
    return;
  }
  const startedAt = performance.now();
  const answer: IngestAnswer = await route.accept(deps, {
    message,
    projectId: route.projectId,
    query,
    clientIp: clientAddress(message, deps.trustedProxies).ip,
    pathKey: route.pathKey,
  });
  deps.metrics.seconds.observe((performance.now() - startedAt) / 1000);
  const isLimited = answer.status === 200 && answer.limits.length > 0 && !route.hidesLimits;
  deps.metrics.answers.inc({ route: route.name, status: isLimited ? '429' : String(answer.status) });
  answerIngest(message, response, route, answer);
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
