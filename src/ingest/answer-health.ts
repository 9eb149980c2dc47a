import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson } from './answer-ingest.ts';
import type { RoleMetrics } from './edge-metrics.ts';

/** Result of one check of `/health/ready`. */
export type Check = { ok: boolean; detail: string };

export type HealthDeps = {
  metrics: Pick<RoleMetrics, 'registry' | 'up'>;
  /** Who has it is told the checks and the metrics. */
  metricsToken: string;
  checkHealth: () => Promise<Readonly<Record<string, Check>>>;
  /** Whether this edge takes events, whatever else is in trouble; absent where nobody sends any. */
  checkIngest?: () => Check;
  /** Brings the figures of this moment into the metrics. */
  measure: () => void;
};

/** Answers `/health/…` and `/metrics`; false when the path is neither. */
export async function answerHealth(
  deps: HealthDeps,
  path: string,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  switch (path) {
    case '/health/live':
      answerJson(response, 200, { status: 'ok' });
      return true;
    case '/health/ingest': {
      if (!deps.checkIngest) return false;
      const { ok } = deps.checkIngest();
      answerJson(response, ok ? 200 : 503, { status: ok ? 'ok' : 'unavailable' }, NOT_STORED);
      return true;
    }
    case '/health/ready':
      await answerReady(deps, message, response);
      return true;
    case '/metrics':
      await answerMetrics(deps, message, response);
      return true;
    default:
      return false;
  }
}

/** Everybody may know whether it is ready; why not names addresses and versions of what is inside. */
async function answerReady(
  deps: HealthDeps,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const checks = await checkParts(deps);
  const isReady = Object.values(checks).every(({ ok }) => ok);
  const status = isReady ? 'ok' : 'unavailable';
  const body = hasToken(deps, message) ? { status, checks } : { status };
  answerJson(response, isReady ? 200 : 503, body, NOT_STORED);
}

const NOT_STORED = { 'cache-control': 'no-store' } as const;

async function answerMetrics(
  deps: HealthDeps,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!hasToken(deps, message)) {
    const detail =
      'Send the metrics token: Authorization: Bearer <token>. See docs/operate.md for where to find it';
    answerJson(response, 401, { detail }, { 'www-authenticate': 'Bearer realm="metrics"' });
    return;
  }
  await checkParts(deps);
  deps.measure();
  response.writeHead(200, {
    'content-type': deps.metrics.registry.contentType,
    'cache-control': 'no-store',
  });
  response.end(await deps.metrics.registry.metrics());
}

async function checkParts({ checkHealth, metrics }: HealthDeps): Promise<Readonly<Record<string, Check>>> {
  const checks = await checkHealth();
  for (const [part, { ok }] of Object.entries(checks)) metrics.up.set({ part }, ok ? 1 : 0);
  return checks;
}

function hasToken({ metricsToken }: HealthDeps, { headers }: IncomingMessage): boolean {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  return given !== undefined && timingSafeEqual(digestOf(given), digestOf(metricsToken));
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
