import { WAITS_OVER_MS } from '#ingest/digest-symbols.ts';
import { waitForDigest } from '#ingest/wait-for-digest.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import type { Log } from '#lib/log.ts';
import { openPublicMaps } from '#product/artifacts/fetch-public-map.ts';
import { createJobRunner } from '#storage/postgres/job-runner.ts';
import type { Config } from '../config.ts';
import { JOBS } from '../jobs/jobs.ts';
import { runRegroupWorker } from '../jobs/regroup-worker.ts';
import type { RoleInit } from './messages.ts';
import { attemptPath } from './open-spool.ts';
import { openStores } from './open-stores.ts';
import type { StartedRole } from './run-role.ts';

/** A batch that digest has begun is stored after so long, unless a store is away: its waits for uploads, and the rest. */
const BATCH_STORED_MS = WAITS_OVER_MS + 10_000;

export async function startJobs(config: Config, init: RoleInit, log: Log): Promise<StartedRole> {
  const { stores, close } = openStores(init, config, { poolMax: 3 });
  const runner = createJobRunner(init.databaseUrl, log);
  await runner.start(
    JOBS.map((job) => ({ ...job, run: async () => void (await job.run({ stores, now: Date.now, log })) })),
  );
  const stopping = new AbortController();
  const regroups = runRegroupWorker(
    {
      stores,
      fetchPublicMap: openPublicMaps(config.sourceMapHosts),
      waitForDigest: (signal) => waitForDigest(attemptPath(config.dataDir), BATCH_STORED_MS, signal),
      faults: parseFaultPoints(config.faultPoints),
      log,
    },
    stopping.signal,
  );
  return {
    check: () => runner.check(),
    async stop() {
      stopping.abort();
      await Promise.all([runner.stop(), regroups]);
      await close();
    },
  };
}
