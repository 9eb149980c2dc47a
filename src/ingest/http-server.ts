import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import type { Log } from '#lib/log.ts';
import type { IngestAnswer, IngestDeps, IngestRequest } from './accept/ingest-request.ts';
import { answerHealth, type HealthDeps } from './answer-health.ts';
import { answerIngest, answerJson, answerPreflight, CORS_HEADERS } from './answer-ingest.ts';
import { type ClientAddress, clientAddress } from './client-address.ts';
import { ConnectionTable } from './connection-table.ts';
import type { EdgeMetrics } from './edge-metrics.ts';
import { findIngestRoute, type IngestRoute } from './ingest-routes.ts';
import { WebProxy } from './proxy-to-web.ts';
import { REQUEST_BOUNDS } from './request-bounds.ts';
import type { RequestsUnderWay } from './requests-under-way.ts';
import { acceptTunnel } from './tunnel.ts';

export type EdgeServerDeps = IngestDeps &
  Omit<HealthDeps, 'measure' | 'metrics'> & {
    metrics: EdgeMetrics;
    log: Log;
    trustedProxies: BlockList | null;
    /** Without a trailing slash. */
    publicUrl: string;
    tunnelRegions: ReadonlyMap<string, string>;
    /** Port of the web role on loopback; null when this machine does not run it. */
    webPort: () => number | null;
    /** False where nobody would digest them: the pages alone are served. Absent: true. */
    takesEvents?: boolean;
    /** Where requests are noted while they are answered; absent when nobody asks for them. */
    underWay?: RequestsUnderWay;
    /** Other than the usual ones, for tests that wait for them and for machines that allow less. */
    limits?: Partial<ServerLimits>;
  };

type ServerLimits = Record<
  'headersTimeoutMs' | 'requestTimeoutMs' | 'timeoutCheckMs' | 'connectionsMax',
  number
>;

/** The one public port: answers ingest and health itself, passes everything else to the web role. */
export function createEdgeServer(deps: EdgeServerDeps): Server {
  const limits: ServerLimits = { ...REQUEST_BOUNDS, ...deps.limits };
  const { metrics } = deps;
  const connections = new ConnectionTable(limits.connectionsMax, () => metrics.closedConnections.inc());
  const web = new WebProxy((lane, busy) => metrics.webRefused.inc({ lane, busy }));
  const health: HealthDeps = {
    ...deps,
    measure() {
      metrics.connections.set(connections.size);
      metrics.spoolBytes.set(deps.spool.sizeBytes());
      for (const [lane, { active, waiting }] of Object.entries(web.figures)) {
        metrics.webRequests.set({ lane, state: 'active' }, active);
        metrics.webRequests.set({ lane, state: 'waiting' }, waiting);
      }
    },
  };
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      keepAliveTimeout: 65_000,
      maxHeaderSize: REQUEST_BOUNDS.headerBytesMax,
    },
    (message, response) => {
      const client = clientAddress(message, deps.trustedProxies);
      connections.begin(message, response, client.ip);
      deps.underWay?.begin(response);
      route({ deps, health, web }, { message, response, client }).catch((error: unknown) => {
        deps.log.error(
          { error: String(error), stack: (error as Error)?.stack },
          'The edge failed to process a request',
        );
        if (!response.headersSent)
          answerJson(response, 500, {
            detail: 'The edge failed to process this request: see the server log',
          });
        else response.destroy();
      });
    },
  );
  connections.attach(server);
  server.maxHeadersCount = REQUEST_BOUNDS.headersMax;
  return server;
}

type Asked = { message: IncomingMessage; response: ServerResponse; client: ClientAddress };

type Edge = { deps: EdgeServerDeps; health: HealthDeps; web: WebProxy };

async function route({ deps, health, web }: Edge, asked: Asked): Promise<void> {
  const { message, response, client } = asked;
  const read = readRequestTarget(message.url ?? '/', message.headers.host, deps.publicUrl);
  if (read.kind === 'refused') {
    answerJson(response, read.status, { detail: read.detail }, { connection: 'close' });
    return;
  }
  const { target } = read;
  message.url = target;
  message.headers.host = read.host;
  const mark = target.indexOf('?');
  const path = mark === -1 ? target : target.slice(0, mark);

  const ingest = path === '/monitoring' ? tunnelRoute(deps) : findIngestRoute(path);
  if (ingest && deps.takesEvents === false) {
    answerJson(response, 503, { detail: NO_DIGEST }, { ...CORS_HEADERS, 'retry-after': RETRY_SECONDS });
    return;
  }
  if (ingest) {
    const query = mark === -1 ? NO_QUERY : new URLSearchParams(target.slice(mark + 1));
    await handleIngest(deps, asked, ingest, query);
    return;
  }
  if (await answerHealth(health, path, message, response)) return;
  const webPort = deps.webPort();
  if (webPort === null)
    answerJson(response, 404, { detail: 'This machine does not run the web role: see errata serve --roles' });
  else await web.pass(message, response, client, webPort);
}

const NO_DIGEST =
  'This machine serves pages only: send events to one that runs edge and digest, or set ERRATA_SPOOL_URL';
const RETRY_SECONDS = '60';
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
  { message, response, client }: Asked,
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
      { detail: `This endpoint only accepts ${allowed}` },
      { ...CORS_HEADERS, allow: [...route.methods, 'OPTIONS'].join(', ') },
    );
    return;
  }
  const startedAt = performance.now();
  const answer: IngestAnswer = await route.accept(deps, {
    message,
    projectId: route.projectId,
    query,
    clientIp: client.ip,
    pathKey: route.pathKey,
  });
  deps.metrics.seconds.observe((performance.now() - startedAt) / 1000);
  const isLimited = answer.status === 200 && answer.limits.length > 0 && !route.hidesLimits;
  deps.metrics.answers.inc({ route: route.name, status: isLimited ? '429' : String(answer.status) });
  answerIngest(message, response, route, answer);
}

type RequestTarget =
  | { kind: 'found' /** Path and query. */; target: string; host: string | undefined }
  | { kind: 'refused'; status: 400 | 421; detail: string };

const HOST = /^[a-z0-9._~!$&'()*+,;=%-]*(:\d*)?$|^\[[0-9a-f:.]+\](:\d*)?$/i;
const ABSOLUTE = /^(https?):\/\/([^/?#]*)([^#]*)$/i;

/**
 * What a request line asks for. The absolute form names a host as well, which has to be the one of the `Host` header or
 * the public one: the address of another server is never answered, and never led to.
 * Source: RFC 9112, section 3.2; RFC 9110, section 7.4.
 */
export function readRequestTarget(line: string, host: string | undefined, publicUrl: string): RequestTarget {
  if (host !== undefined && !HOST.test(host))
    return reject(400, 'The Host header is invalid: send one host name and a port');
  if (line.startsWith('/')) return { kind: 'found', target: line, host };
  const [, scheme = '', authority = '', rest = ''] = ABSOLUTE.exec(line) ?? [];
  if (authority === '' || !HOST.test(authority)) {
    return reject(400, 'The request line has no path: send a line such as GET /path HTTP/1.1');
  }
  const asked = hostOf(scheme, authority);
  if (asked !== hostOf(scheme, host ?? '') && asked !== new URL(publicUrl).host) {
    return reject(421, 'The request is for a different host: check the URL and the Host header');
  }
  return { kind: 'found', target: rest.startsWith('/') ? rest : `/${rest}`, host: authority };
}

/** In lower case and without the port that the scheme has anyway; empty when it is none. */
const hostOf = (scheme: string, authority: string): string =>
  URL.parse(`${scheme}://${authority}`)?.host ?? '';

const reject = (status: 400 | 421, detail: string): RequestTarget => ({ kind: 'refused', status, detail });
