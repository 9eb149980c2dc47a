import type { Context } from '#product/context.ts';
import { alignRange, checkRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import type { EventTrend } from '#storage/ports/event-explore.ts';
import { openQuestion, type Question } from './open-question.ts';

/** How many events, and whom they happened to, over the whole buckets of `range`. */
export type ExploredTrend = EventTrend & { range: Range; bucketMs: number };

/** Counts the events of a question over time, in the given buckets or in as many as a chart has. Throws as `openQuestion`, and Invalid when it takes too long. */
export async function countExploredEvents(
  ctx: Context,
  question: Question,
  bucketMs = chooseBucketMs(question.range),
): Promise<ExploredTrend> {
  checkRange(question.range, bucketMs);
  const range = alignRange(question.range, bucketMs);
  const { scope, asked } = await openQuestion(ctx, { ...question, range });
  return { ...(await ctx.stores.eventExplore.countOverTime(scope, asked, bucketMs)), range, bucketMs };
}
