import type { MetricAlert, RowMeasure } from '#domain/alerts/alert-rule.ts';
import { percentChange } from '#domain/alerts/compare-periods.ts';
import type { Project } from '#domain/projects.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { readRowFilter } from '#product/explore/rows/open-rows.ts';
import { readFunction } from '#product/explore/rows/row-functions.ts';
import type { Range } from '#product/time-buckets.ts';
import { eventScope } from '#product/visible-projects.ts';
import { openMetricQuery } from '../metric-query.ts';

/** What a measure is in each bucket of a range, oldest first; null where there is nothing that it could be of. */
type Measure = (range: Range, bucketMs: number) => Promise<readonly (number | null)[]>;

type Asked = Pick<MetricAlert, 'measure' | 'query' | 'minimumSessions'> & { environment: string | null };

/**
 * Reads what is measured. Throws Invalid for a bad search, and for one that the measure does not know; the measure throws
 * it when a question takes longer, or more memory, than a search may.
 */
export async function openMeasure(ctx: Context, project: Project, asked: Asked): Promise<Measure> {
  const { measure, query, environment, minimumSessions = 0 } = asked;
  if (typeof measure !== 'string') return openRowMeasure(ctx, project, { ...asked, measure });
  const expression = await openMetricQuery(ctx, project, { measure, query, environment });
  const scope = eventScope(ctx, [project]);
  return (range, bucketMs) =>
    ctx.stores.alertEvents.measure(scope, { measure, expression, range, bucketMs, minimumSessions });
}

function openRowMeasure(
  ctx: Context,
  project: Project,
  { measure: { dataset, function: written }, query, environment }: Asked & { measure: RowMeasure },
): Measure {
  const { type, over } = readFunction(dataset, written);
  const expression = readRowFilter(dataset, [query], {
    projects: [project],
    environments: environment === null ? [] : [environment],
    nowMs: ctx.now(),
  });
  const scale = type === 'percentage' ? 100 : 1;
  return async (range, bucketMs) => {
    const [series] = await ctx.stores.rowExplore.series(
      eventScope(ctx, [project]),
      { dataset, range, expression },
      {
        groupBy: [],
        groups: [[]],
        aggregates: [over(bucketMs / SECOND_MS)],
        fromMs: range.fromMs,
        bucketMs,
      },
    );
    return (series?.values[0] ?? []).map((value) => value && value * scale);
  };
}

/** `value` is what the thresholds are of: what was `measured`, or its change against `before`. */
export type WindowValue = { value: number | null; measured: number | null; before: number | null };

/** Windows of the rule that lie in the range, oldest first; `before` is null for a rule that does not compare. */
export async function measureWindows(
  ctx: Context,
  project: Project,
  { environment, definition, range }: { environment: string | null; definition: MetricAlert; range: Range },
): Promise<readonly WindowValue[]> {
  const { windowMinutes, comparisonMinutes } = definition;
  const windowMs = windowMinutes * MINUTE_MS;
  const measure = await openMeasure(ctx, project, { ...definition, environment });
  if (comparisonMinutes === undefined) {
    const values = await measure(range, windowMs);
    return values.map((value) => ({ value, measured: value, before: null }));
  }
  const earlierMs = comparisonMinutes * MINUTE_MS;
  const earlier = { fromMs: range.fromMs - earlierMs, toMs: range.toMs - earlierMs };
  // One after the other: each may take the memory of a search.
  const values = await measure(range, windowMs);
  const befores = await measure(earlier, windowMs);
  return values.map((measured, index) => {
    const before = befores[index] ?? null;
    return { value: percentChange(measured, before), measured, before };
  });
}
