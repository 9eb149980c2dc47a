import type { Context } from '#product/context.ts';
import { ageNewIssues } from '#product/issues/age-new-issues.ts';

export type JobContext = { stores: Context['stores']; now: () => number };

export type Job = {
  name: string;
  /** Cron expression, UTC. */
  schedule: string;
  run(context: JobContext): Promise<void>;
};

/** What time triggers. Each calls a product verb. */
export const JOBS: readonly Job[] = [
  {
    name: 'age-new-issues',
    schedule: '*/10 * * * *',
    run: ({ stores, now }) => ageNewIssues(stores, now()),
  },
];
