import type { Log } from '#lib/log.ts';
import type { Context } from '#product/context.ts';
import { ageNewIssues } from '#product/issues/age-new-issues.ts';
import { enforceRetention } from '#product/retention/enforce-retention.ts';

export type JobContext = { stores: Context['stores']; now: () => number; log: Log };

export type Job = {
  name: string;
  /** Cron expression, UTC. */
  schedule: string;
  run(context: JobContext): Promise<unknown>;
};

/** What time triggers. Each calls a product verb. */
export const JOBS: readonly Job[] = [
  {
    name: 'age-new-issues',
    schedule: '*/10 * * * *',
    run: ({ stores, now }) => ageNewIssues(stores, now()),
  },
  {
    name: 'enforce-retention',
    schedule: '* * * * *',
    async run({ stores, now, log }) {
      const result = await enforceRetention(stores, now());
      if (result.drops > 0) log.info(result, 'Old data was dropped');
      if (result.isOverBudget) {
        log.error(
          result,
          'The data directory is over its budget, and nothing more may be dropped: raise ERRATA_DISK_BYTES_MAX',
        );
      }
    },
  },
];
