import { parseFaultPoints } from '#lib/fault-points.ts';
import type { Log } from '#lib/log.ts';
import { createJobRunner } from '#storage/postgres/job-runner.ts';
import type { Config } from '../config.ts';
import { JOBS } from '../jobs/jobs.ts';
import { runRegroupWorker } from '../jobs/regroup-worker.ts';
import type { RoleInit } from './messages.ts';
import { openStores } from './open-stores.ts';
import type { StartedRole } from './run-role.ts';

export async function startJobs(config: Config, init: RoleInit, log: Log): Promise<StartedRole> {
  const { stores, close } = openStores(init, config, { poolMax: 3 });
  const runner = createJobRunner(init.databaseUrl, log);
  await runner.start(
    JOBS.map((job) => ({ ...job, run: async () => void (await job.run({ stores, now: Date.now, log })) })),
  );
  const stopping = new AbortController();
  const regroups = runRegroupWorker(
    { stores, faults: parseFaultPoints(config.faultPoints), log },
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
