import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { alignRange } from '#product/time-buckets.ts';

/** As the page of outcomes counts its 30 days: today included. */
const DAYS = 30;

/** Items of the last 30 days that each filter dropped, by the reason of the outcome; absent for none. */
export async function countFiltered(
  ctx: Context,
  projectSlug: string,
): Promise<Readonly<Record<string, number>>> {
  const toMs = ctx.now();
  const range = alignRange({ fromMs: toMs - (DAYS - 1) * DAY_MS, toMs }, DAY_MS);
  const series = await getOutcomeSeries(ctx, { projectSlugs: [projectSlug], range, bucketMs: DAY_MS });
  const counts: Record<string, number> = {};
  for (const { outcome, reason, total } of series) {
    if (outcome === 'filtered') counts[reason] = (counts[reason] ?? 0) + total;
  }
  return counts;
}
