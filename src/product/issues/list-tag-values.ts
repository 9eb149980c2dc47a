import type { Issue } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit } from '#product/page-limit.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { TagValues } from '#storage/ports/issue-tags.ts';
import { findEventsOfIssue } from './issue-events.ts';
import { TAGGED_EVENTS_MAX } from './list-issue-tags.ts';

/** Longer keys no SDK may set. */
export const KEY_CHARACTERS_MAX = 200;

/** What an issue's newest events carry under one key, the most frequent values first. Throws Invalid. */
export async function listTagValues(
  ctx: Context,
  issue: Issue,
  input: { key: string; range: Range; limit: number },
): Promise<TagValues> {
  requireRight(ctx, 'event:read');
  checkRange(input.range);
  checkLimit(input.limit);
  if (input.key.length > KEY_CHARACTERS_MAX) {
    throw invalid(`The key of a tag has at most ${KEY_CHARACTERS_MAX} characters`, 'key');
  }
  return ctx.stores.issueTags.countValues(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    input.key,
    input.range,
    { values: input.limit, events: TAGGED_EVENTS_MAX },
  );
}
