import { PgBoss } from 'pg-boss';
import type { Log } from '#lib/log.ts';
import { clientOptions } from './database.ts';

/** Its queries are short and few, and each connection that has seen its tables takes 8 MB. */
const CONNECTIONS_MAX = 1;
/** All queues wait for it in turn. */
const CONNECT_MS_MAX = 10_000;

export type ScheduledJob = { name: string; schedule: string; run(): Promise<void> };

export type JobRunner = {
  start(jobs: readonly ScheduledJob[]): Promise<void>;
  check(): { ok: boolean; detail: string };
  stop(): Promise<void>;
};

/** Schedules and runs jobs; of several machines, one runs each turn. Source: pg-boss on the same PostgreSQL. */
export function createJobRunner(databaseUrl: string, log: Log): JobRunner {
  const boss = new PgBoss({
    // It makes its own pool of what it is given, clients included.
    ...clientOptions(databaseUrl),
    connectionTimeoutMillis: CONNECT_MS_MAX,
    max: CONNECTIONS_MAX,
    application_name: 'errata-jobs',
  });
  let lastError: string | null = null;
  boss.on('error', (error) => {
    lastError = error.message;
    log.warn({ error: error.message }, 'The job queue reports an error');
  });
  let jobCount = 0;
  return {
    async start(jobs) {
      await boss.start();
      for (const job of jobs) {
        await boss.createQueue(job.name, { retryLimit: 3, retryDelay: 30, retryBackoff: true });
        await boss.work(job.name, { pollingIntervalSeconds: 10 }, async () => {
          await job.run();
          lastError = null;
          log.debug({ job: job.name }, 'A job finished');
        });
        await boss.schedule(job.name, job.schedule, null, { tz: 'UTC' });
      }
      jobCount = jobs.length;
    },
    check: () => ({
      ok: true,
      detail: lastError ? `last error: ${lastError}` : `${jobCount} schedules`,
    }),
    stop: () => boss.stop({ graceful: true, timeout: 2_000 }),
  };
}
