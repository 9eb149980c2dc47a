import { readRange } from '#app/api/0/read-parameters.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import type { OutcomeSeries } from '#product/stats/outcome-store.ts';
import { alignRange, type Range } from '#product/time-buckets.ts';
import { readProjects } from './organization-endpoints.ts';

const INTERVALS_MS: Readonly<Record<string, number>> = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '1d': DAY_MS };

export type AskedStats = { projectSlugs: readonly string[]; range: Range; bucketMs: number };

/** Which counts an address asks for: of the last day by the hour unless it names something else. Throws Invalid. */
export async function openStats(ctx: Context, url: URL): Promise<AskedStats> {
  const nowMs = ctx.now();
  const interval = url.searchParams.get('interval') || '1h';
  const bucketMs = ownValue(INTERVALS_MS, interval);
  if (!bucketMs)
    throw invalid(`interval "${interval.slice(0, 40)}" is not supported: 1h, 6h or 1d`, 'interval');
  return {
    projectSlugs: await readProjects(url, ctx),
    range: alignRange(readRange(url, nowMs) ?? { fromMs: nowMs - DAY_MS, toMs: nowMs }, bucketMs),
    bucketMs,
  };
}

/** Whether `outcome` and `category`, where an address has them, name these. */
export function isAskedFor(url: URL, series: Pick<OutcomeSeries, 'outcome' | 'category'>): boolean {
  return (['outcome', 'category'] as const).every((name) => {
    const asked = url.searchParams.getAll(name);
    return asked.length === 0 || asked.includes(series[name]);
  });
}
