import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { TagDistribution } from '#storage/ports/events.ts';
import type { Issue } from '#storage/ports/issues.ts';
import { findEventsOfIssue } from './issue-events.ts';

const TAG_LIMITS = { keys: 30, values: 10 };

/** The most frequent tags of an issue's events in the range, at most 30 with 10 values each. */
export async function listIssueTags(
  ctx: Context,
  issue: Issue,
  input: { range: Range },
): Promise<readonly TagDistribution[]> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  return ctx.stores.events.countTags(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    input.range,
    TAG_LIMITS,
  );
}
