import { setTimeout as sleep } from 'node:timers/promises';
import type { Dsn } from '../harness/envelope.ts';
import { readMetrics } from '../harness/read-health.ts';
import type { ErrataServer } from '../harness/start-errata.ts';
import type { GeneratorProcess, LoadResult } from './generator-process.ts';

const CONNECTIONS = 64;
export const ISSUES = 200;
/** How often the generator is allowed more. */
const ALLOW_EVERY_MS = 100;
/** Of those, how often the server is asked what it digested: each answer gathers all metrics, 3 ms of the edge. */
const FOLLOW_EVERY = 5;

export function load(dsn: Dsn, port: number, eventBytes: number, allowance: number | null) {
  return {
    port,
    projectId: dsn.projectId,
    publicKey: dsn.publicKey,
    eventBytes,
    issues: ISSUES,
    connections: CONNECTIONS,
    allowance,
  };
}

/** Lets the generator send at most so many a second, and never more than `backlogEvents` ahead of digest. */
export function startPace(
  { server, generator }: { server: Pick<ErrataServer, 'url' | 'dataDir'>; generator: GeneratorProcess },
  dsn: Dsn,
  eventBytes: number,
  perSecondMax: number | null,
  backlogEvents: number,
) {
  const port = Number(new URL(server.url).port);
  generator.start(load(dsn, port, eventBytes, perSecondMax === null ? backlogEvents : 0));
  const startedAt = performance.now();
  const follower = new AbortController();
  let digested = 0;
  const following = (async () => {
    const digestedBefore = await countDigested(server);
    for (let turn = 0; !follower.signal.aborted; turn++) {
      if (turn % FOLLOW_EVERY === 0) digested = (await countDigested(server)) - digestedBefore;
      const scheduled = ((performance.now() - startedAt) / 1000) * (perSecondMax ?? Number.POSITIVE_INFINITY);
      generator.allow(Math.floor(Math.min(digested + backlogEvents, scheduled)));
      await sleep(ALLOW_EVERY_MS);
    }
  })();
  return {
    digested: () => digested,
    async stop(): Promise<LoadResult> {
      follower.abort();
      await following;
      return generator.stop();
    },
  };
}

/** Events that digest has finished since its start, by the server's metrics. */
export async function countDigested(server: Pick<ErrataServer, 'url' | 'dataDir'>): Promise<number> {
  const metrics = await readMetrics(server);
  const match = /^errata_digest_events(?:_total)? (\d+)$/m.exec(metrics);
  if (!match) throw new Error('The metrics do not tell how many events were digested');
  return Number(match[1]);
}
