import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Log } from '#lib/log.ts';
import type { UpgradeProgress } from '../messages.ts';

/** Each is answered at once and closed. */
const NOTICE_CONNECTIONS_MAX = 500;
/** Of a request whose head does not come. */
const HEAD_MS_MAX = 5_000;
/** When SDKs and browsers ask again. */
const RETRY_SECONDS = 30;
const REFRESH_SECONDS = 5;

/**
 * Answers on the public port while the data is upgraded, until the edge takes its place: alive, not ready, and everything
 * else with 503 and when to come back. Resolves with null when the port is taken, which the edge will report.
 */
export async function openUpgradeNotice(
  { host, port, metricsToken }: { host: string; port: number; metricsToken: string },
  readProgress: () => UpgradeProgress,
  log: Log,
): Promise<{ close(): Promise<void> } | null> {
  const server = createServer((request, response) => {
    // What is sent is not read: the answer says when to send it again.
    request.resume();
    answer(request, response, readProgress(), metricsToken);
  });
  server.maxConnections = NOTICE_CONNECTIONS_MAX;
  server.headersTimeout = HEAD_MS_MAX;
  server.requestTimeout = HEAD_MS_MAX;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    log.warn({ error: String(error) }, 'The upgrade is not announced on the public port');
    return null;
  }
  return { close: () => close(server) };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  progress: UpgradeProgress,
  metricsToken: string,
): void {
  const path = request.url?.split('?')[0];
  if (path === '/health/live') answerJson(response, 200, { status: 'ok' });
  else if (path === '/health/ready') {
    const checks = { upgrade: { ok: false, detail: describeProgress(progress, Date.now()) } };
    const body = { status: 'upgrading' };
    answerJson(response, 503, hasToken(request, metricsToken) ? { ...body, checks } : body);
  } else if (request.headers.accept?.includes('text/html')) answerPage(response, progress);
  else answerJson(response, 503, { detail: 'Errata is being upgraded: try again later' });
}

function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { ...HEADERS, 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

const HEADERS = {
  'cache-control': 'no-store',
  connection: 'close',
  'retry-after': String(RETRY_SECONDS),
  'x-content-type-options': 'nosniff',
};

/** For everybody: nothing of what is inside, only how far it is. */
function answerPage(response: ServerResponse, { number, count, startedAt }: UpgradeProgress): void {
  const done = number === 0 ? 'Preparing.' : `Step ${number} of ${count}.`;
  const label = 'aria-label="Steps of the upgrade"';
  const bar =
    number === 0
      ? `<progress ${label}></progress>`
      : `<progress ${label} max="${count}" value="${number - 1}"></progress>`;
  response.writeHead(503, {
    ...HEADERS,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    refresh: String(REFRESH_SECONDS),
  });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Errata is being upgraded</title>
<style>:root{color-scheme:light dark}body{font:14px/1.5 system-ui;max-width:32em;margin:20vh auto;padding:0 16px}h1{font-size:20px}progress{width:100%}</style>
</head>
<body>
<main>
<h1>Errata is being upgraded</h1>
${bar}
<p>${done} Started ${formatElapsed(Date.now() - startedAt)} ago. Everything received so far is kept. This page reloads automatically.</p>
</main>
</body>
</html>
`);
}

/** `Migrating ClickHouse: 0006_event_values.sql (statement 3 of 14), 2 of 5, 12 s` */
export function describeProgress(
  { doing, detail, number, count, startedAt }: UpgradeProgress,
  nowMs: number,
): string {
  const within = detail === null ? '' : ` (${detail})`;
  const place = number === 0 ? '' : `, ${number} of ${count}`;
  return `${doing}${within}${place}, ${formatElapsed(nowMs - startedAt)}`;
}

export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(headers.authorization ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
