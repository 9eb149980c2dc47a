import { invalid, notFound } from '#lib/errors.ts';
import { requireInstanceOwner } from '#product/acting-user.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import {
  RETENTION_DAYS_MAX,
  RETENTION_DAYS_MIN,
  RETENTION_GROUPS,
  type RetentionDays,
  type RetentionGroup,
} from '#protocol/retention.ts';
import type { StoredKind } from '#storage/ports/stored-days.ts';

/** Less would drop what arrives before anybody could look at it. */
export const PROJECT_BUDGET_BYTES_MIN = 1024 ** 2;
const PROJECT_BUDGET_BYTES_MAX = 1024 ** 5;

/** Sets a project's disk budget; null restores its fair share. Throws Invalid outside 1 MiB to 1 PiB, NotFound. */
export async function updateProjectBudget(
  ctx: Context,
  projectId: number,
  bytes: number | null,
): Promise<void> {
  requireInstanceOwner(ctx);
  const isPossible =
    bytes === null ||
    (Number.isSafeInteger(bytes) && bytes >= PROJECT_BUDGET_BYTES_MIN && bytes <= PROJECT_BUDGET_BYTES_MAX);
  if (!isPossible) throw invalid('Set a budget between 1 MiB and 1 PiB', 'budget');
  await audited(
    ctx,
    async (ctx) => {
      if (!(await ctx.stores.retention.saveBudget(projectId, bytes)))
        throw notFound('The project no longer exists');
    },
    () => ({
      action: 'org.project_budget.edit',
      target: organizationTarget(ctx),
      data: { projectId, bytes },
    }),
  );
}

/** Sets retention in days, null for the default. Throws Invalid, naming the kind, outside 1 to 3,650. */
export async function updateRetentionDays(
  ctx: Context,
  change: Partial<Record<RetentionGroup, number | null>>,
): Promise<RetentionDays> {
  requireInstanceOwner(ctx);
  for (const group of RETENTION_GROUPS) {
    const days = change[group];
    if (days === undefined || days === null) continue;
    if (!Number.isInteger(days) || days < RETENTION_DAYS_MIN || days > RETENTION_DAYS_MAX) {
      throw invalid(
        `Enter a retention period of ${RETENTION_DAYS_MIN} to ${RETENTION_DAYS_MAX.toLocaleString('en')} whole days`,
        group,
      );
    }
  }
  return audited(
    ctx,
    (ctx) => ctx.stores.retention.saveDays(change),
    () => ({ action: 'org.retention.edit', target: organizationTarget(ctx), data: { ...change } }),
  );
}

/** Which group's days count for a kind of data. */
export const GROUP_OF_KIND: Readonly<Record<StoredKind, RetentionGroup>> = {
  events: 'errors',
  attachments: 'errors',
  feedback: 'errors',
  transactions: 'traces',
  spans: 'traces',
  logs: 'logs',
  metrics: 'metrics',
  sessions: 'sessions',
  checkIns: 'check_ins',
  uptimeChecks: 'check_ins',
  replays: 'replays',
  replaySegments: 'replays',
  profiles: 'profiles',
};

/** Rows dropped with the blobs of their day: replays are useless without their segments. */
export const KINDS_DROPPED_WITH_BLOBS: readonly StoredKind[] = [
  'attachments',
  'replaySegments',
  'replays',
  'profiles',
];

/** Groups whose data has bodies in the blob store. */
export const GROUPS_WITH_BLOBS: readonly RetentionGroup[] = ['errors', 'replays', 'profiles'];
