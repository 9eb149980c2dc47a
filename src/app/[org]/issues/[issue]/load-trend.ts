import { cache } from 'react';
import type { Issue } from '#domain/issues/issue.ts';
import { type OrUnavailable, orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { getIssueTrend } from '#product/issues/issue-events.ts';
import { chooseBucketMs, inRoundBuckets } from '#product/time-buckets.ts';
import type { IssueActivity } from '#storage/ports/events.ts';
import type { IssueFilter } from './issue-request.ts';

/** `fromMs` is where the first bucket begins. */
export type Trend = IssueActivity & { fromMs: number; bucketMs: number };

/** The events of an issue that its filter leaves, counted once for everything on a page that tells of them. */
export const loadTrend = cache(
  async (ctx: Context, issue: Issue, { events }: IssueFilter): Promise<OrUnavailable<Trend>> => {
    const bucketMs = chooseBucketMs(events.range);
    const range = inRoundBuckets(events.range, bucketMs, ctx.now());
    const trend = await orUnavailable(getIssueTrend(ctx, issue, { ...events, range, bucketMs }));
    return trend.ok ? { ok: true, value: { ...trend.value, fromMs: range.bucketsFromMs, bucketMs } } : trend;
  },
);
