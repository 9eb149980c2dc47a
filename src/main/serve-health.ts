import { once } from 'node:events';
import { createServer } from 'node:http';
import { answerHealth, type Check } from '#ingest/answer-health.ts';
import { answerJson } from '#ingest/answer-ingest.ts';
import { createRoleMetrics, showDigest } from '#ingest/edge-metrics.ts';
import { describeListenError } from './listen-error.ts';
import type { DigestFigures } from './messages.ts';

/** Those who ask are few: the orchestrator, a scraper, a person. */
const HEALTH_CONNECTIONS_MAX = 64;
const HEALTH_TIMEOUT_MS = 10_000;

export type HealthState = { checks: Readonly<Record<string, Check>>; digest: DigestFigures | null };

/**
 * Answers `/health/live`, `/health/ready` and `/metrics` for the roles of a machine without an edge. Throws when the port
 * cannot be listened on.
 */
export async function serveHealth(
  { host, port, metricsToken }: { host: string; port: number; metricsToken: string },
  readState: () => HealthState,
): Promise<{ close(): void }> {
  const metrics = createRoleMetrics();
  const deps = {
    metrics,
    metricsToken,
    checkHealth: () => Promise.resolve(readState().checks),
    measure: () => {
      const { digest } = readState();
      if (digest) showDigest(metrics, digest);
    },
  };
  const server = createServer({ requestTimeout: HEALTH_TIMEOUT_MS }, (request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    answerHealth(deps, path, request, response).then(
      (isAnswered) => {
        if (!isAnswered) answerJson(response, 404, { detail: 'This port answers /health and /metrics only' });
      },
      () => response.destroy(),
    );
  });
  server.maxConnections = HEALTH_CONNECTIONS_MAX;
  server.listen({ host, port });
  await once(server, 'listening').catch((error: unknown) => {
    throw describeListenError(error as NodeJS.ErrnoException, port, 'ERRATA_HEALTH_PORT');
  });
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
