import type { Issue } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit } from '#product/cursor.ts';
import { requireRight } from '#product/permissions.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { TagDistribution, TagValues } from '#storage/ports/events.ts';
import { findEventsOfIssue, type IssueEventFilter, openIssueFilter } from './issue-events.ts';

/** Tags are counted over so many events at most: a page must not wait for millions of them. */
export const TAGGED_EVENTS_MAX = 2_000;
const TAG_LIMITS = { keys: 30, values: 10 };
/** What a page that shows all keys asks for. */
export const ALL_TAG_LIMITS = { keys: 200, values: 5 };

/**
 * The most frequent tags of an issue's events in the range that the filter leaves, 30 with 10 values each unless other limits are given; of the
 * newest `TAGGED_EVENTS_MAX` events where there are more.
 */
export async function listIssueTags(
  ctx: Context,
  issue: Issue,
  input: IssueEventFilter & { range: Range; limits?: { keys: number; values: number } },
): Promise<readonly TagDistribution[]> {
  requireRight(ctx, 'event:read');
  const { expression } = await openIssueFilter(ctx, issue, input);
  return ctx.stores.events.countTags(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    input.range,
    { ...(input.limits ?? TAG_LIMITS), events: TAGGED_EVENTS_MAX },
    expression,
  );
}

/** Longer keys no SDK may set. */
export const KEY_CHARACTERS_MAX = 200;

/** What an issue's newest events carry under one key, the most frequent values first. Throws Invalid. */
export async function listTagValues(
  ctx: Context,
  issue: Issue,
  input: IssueEventFilter & { key: string; range: Range; limit: number },
): Promise<TagValues> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  if (input.key.length > KEY_CHARACTERS_MAX) {
    throw invalid(`A tag key can have at most ${KEY_CHARACTERS_MAX} characters`, 'key');
  }
  const { expression } = await openIssueFilter(ctx, issue, input);
  return ctx.stores.issueTags.countValues(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    input.key,
    input.range,
    { values: input.limit, events: TAGGED_EVENTS_MAX },
    expression,
  );
}
