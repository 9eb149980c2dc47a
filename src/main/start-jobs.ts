import type { Log } from '#lib/log.ts';
import { createJobRunner } from '#storage/postgres/job-runner.ts';
import type { Config } from '../config.ts';
import { JOBS } from '../jobs/jobs.ts';
import type { RoleInit } from './messages.ts';
import { openStores } from './open-stores.ts';
import type { StartedRole } from './run-role.ts';

export async function startJobs(_config: Config, init: RoleInit, log: Log): Promise<StartedRole> {
  const { stores, close } = openStores(init, { poolMax: 2 });
  const runner = createJobRunner(init.databaseUrl, log);
  await runner.start(JOBS.map((job) => ({ ...job, run: () => job.run({ stores, now: Date.now }) })));
  return {
    check: () => runner.check(),
    async stop() {
      await runner.stop();
      await close();
    },
  };
}
