import type { Log } from '#lib/log.ts';
import { forgetAlertFirings } from '#product/alerts/alert-firings.ts';
import { checkMetrics } from '#product/alerts/metrics/check-metrics.ts';
import { expireUploads } from '#product/artifacts/expire-uploads.ts';
import { forgetAuditEntries } from '#product/audit/audit-log.ts';
import type { Context } from '#product/context.ts';
import { expireDataRequests } from '#product/data-requests/data-requests.ts';
import { purgeDeletedRows } from '#product/data-requests/purge-deleted-rows.ts';
import { forgetDeliveries } from '#product/deliveries/deliveries.ts';
import { forgetGroupingChanges } from '#product/grouping/grouping-changes.ts';
import { deleteEvents } from '#product/issue-deletion/delete-events.ts';
import { ageNewIssues, settleIssues, unarchiveIssues } from '#product/issues/issue-transitions.ts';
import { openWeeklyReports } from '#product/overview/get-week-overview.ts';
import { deleteProjectData } from '#product/project-deletion/delete-project-data.ts';
import { noteAdoptions } from '#product/releases/note-adoptions.ts';
import type { FindBacklog } from '#product/retention/drop-stored-days.ts';
import { enforceRetention } from '#product/retention/enforce-retention.ts';
import type { Services } from '#product/services.ts';
import { forgetStaged } from '#product/symbolication/reprocess-staging.ts';
import { refreshTrackerLinks } from '#product/trackers/refresh-tracker-links.ts';

export type JobContext = {
  stores: Context['stores'];
  openTracker: Services['openTracker'];
  findBacklog: FindBacklog;
  now: () => number;
  log: Log;
};

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
    name: 'settle-issues',
    schedule: '*/10 * * * *',
    run: ({ stores, now }) => settleIssues(stores, now()),
  },
  {
    name: 'return-archived-issues',
    schedule: '* * * * *',
    async run({ stores, now, log }) {
      const result = await unarchiveIssues(stores, now());
      if (result.due + result.escalated > 0) log.info(result, 'Archived issues were unarchived');
    },
  },
  {
    name: 'check-alert-metrics',
    schedule: '* * * * *',
    async run({ stores, now, log }) {
      const result = await checkMetrics({ stores, now, log });
      if (result.changed > 0) log.info(result, 'Alert rule metrics changed state');
    },
  },
  {
    name: 'note-adoptions',
    schedule: '7 * * * *',
    run: ({ stores, now, log }) => noteAdoptions({ stores, now, log }),
  },
  {
    name: 'forget-alert-firings',
    schedule: '29 * * * *',
    run: ({ stores, now }) => forgetAlertFirings(stores, now()),
  },
  {
    name: 'delete-issue-events',
    schedule: '* * * * *',
    async run({ stores, now, log }) {
      const deletions = await deleteEvents(stores, now);
      if (deletions > 0) log.info({ deletions }, 'Events of deleted issues were removed');
    },
  },
  {
    name: 'delete-project-data',
    schedule: '* * * * *',
    async run({ stores, now, log }) {
      const projects = await deleteProjectData(stores, now());
      if (projects > 0) log.info({ projects }, 'Data of deleted projects was removed');
    },
  },
  {
    name: 'purge-deleted-rows',
    schedule: '53 * * * *',
    async run({ stores, now, log }) {
      const partitions = await purgeDeletedRows(stores, now());
      if (partitions > 0) log.info({ partitions }, 'Deleted rows were removed from disk');
    },
  },
  {
    name: 'expire-data-requests',
    schedule: '47 * * * *',
    run: ({ stores, now }) => expireDataRequests(stores, now()),
  },
  {
    name: 'forget-grouping-changes',
    schedule: '17 * * * *',
    async run({ stores, now }) {
      await forgetGroupingChanges(stores, now());
      await forgetStaged(stores);
    },
  },
  {
    name: 'forget-deliveries',
    schedule: '37 * * * *',
    run: ({ stores, now }) => forgetDeliveries(stores, now()),
  },
  {
    name: 'forget-audit-entries',
    schedule: '23 * * * *',
    run: ({ stores, now }) => forgetAuditEntries(stores, now()),
  },
  {
    name: 'weekly-report',
    schedule: '5 * * * 1,2',
    async run({ stores, now, log }) {
      const reports = await openWeeklyReports(stores, now());
      if (reports > 0) log.info({ reports }, 'Weekly reports were queued');
    },
  },
  {
    name: 'refresh-tracker-links',
    schedule: '*/10 * * * *',
    async run({ stores, openTracker, now, log }) {
      const links = await refreshTrackerLinks({ stores, openTracker }, now());
      if (links > 0) log.info({ links }, 'Linked tracker issues changed');
    },
  },
  {
    name: 'expire-uploads',
    schedule: '41 * * * *',
    async run({ stores, now, log }) {
      const expired = await expireUploads(stores, now());
      if (Object.values(expired).some((count) => count > 0)) log.info(expired, 'Unused uploads were deleted');
    },
  },
  {
    name: 'enforce-retention',
    schedule: '* * * * *',
    async run({ stores, findBacklog, now, log }) {
      const result = await enforceRetention(stores, now(), findBacklog);
      if (result.drops > 0) log.info(result, 'Old data was dropped');
      if (result.isOverBudget) {
        log.error(
          result,
          'The data directory is over its budget, and nothing more can be dropped: raise ERRATA_DISK_BYTES_MAX',
        );
      }
    },
  },
];
