import { contextOf } from '#app/api/0/api-caller.ts';
import type { ApiEndpoint } from '#app/api/0/handle-api-request.ts';
import { readRange } from '#app/api/0/read-parameters.ts';
import { invalid } from '#lib/errors.ts';
import { getServices } from '#product/services.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { alignRange } from '#product/time-buckets.ts';
import type { OutcomeSeries } from '#storage/ports/digest.ts';
import { selectProject } from './find-project.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const INTERVALS_MS: Readonly<Record<string, number>> = { '1h': HOUR_MS, '6h': 6 * HOUR_MS, '1d': DAY_MS };
const GROUPS = ['outcome', 'category', 'reason'] as const;
type Group = (typeof GROUPS)[number];

/**
 * What became of items, summed by what `groupBy` names. Source:
 * https://docs.sentry.io/api/organizations/retrieve-event-counts-for-an-organization-v2/
 */
export const outcomeStatsEndpoint: ApiEndpoint<OrganizationParams> = async ({ caller, url, params }) => {
  const ctx = contextOf(caller, params.org);
  const nowMs = getServices().now();
  const interval = url.searchParams.get('interval') ?? '1h';
  const bucketMs = INTERVALS_MS[interval];
  if (!bucketMs)
    throw invalid(`interval "${interval.slice(0, 40)}" is not supported: 1h, 6h or 1d`, 'interval');
  const range = alignRange(readRange(url, nowMs) ?? { fromMs: nowMs - DAY_MS, toMs: nowMs }, bucketMs);
  const groups = readGroups(url);
  const names = url.searchParams.getAll('project').filter((name) => name !== '' && name !== '-1');
  const projects = await Promise.all(names.map((name) => selectProject(ctx, name)));
  const series = await getOutcomeSeries(ctx, {
    projectSlugs: projects.map(({ slug }) => slug),
    range,
    bucketMs,
  });
  const chosen = series.filter(
    (each) => isAsked(url, 'outcome', each.outcome) && isAsked(url, 'category', each.category),
  );
  const buckets = Math.ceil((range.toMs - range.fromMs) / bucketMs);
  return {
    body: {
      start: new Date(range.fromMs).toISOString(),
      end: new Date(range.toMs).toISOString(),
      intervals: Array.from({ length: buckets }, (_, index) =>
        new Date(range.fromMs + index * bucketMs).toISOString(),
      ),
      groups: groupSeries(chosen, groups),
    },
  };
};

function readGroups(url: URL): readonly Group[] {
  return url.searchParams.getAll('groupBy').map((name) => {
    const group = GROUPS.find((each) => each === name);
    if (!group)
      throw invalid(`groupBy "${name.slice(0, 40)}" is not supported: ${GROUPS.join(', ')}`, 'groupBy');
    return group;
  });
}

const isAsked = (url: URL, name: Group, value: string): boolean => {
  const asked = url.searchParams.getAll(name);
  return asked.length === 0 || asked.includes(value);
};

function groupSeries(series: readonly OutcomeSeries[], groups: readonly Group[]) {
  const grouped = new Map<string, { by: Partial<Record<Group, string>>; total: number; buckets: number[] }>();
  for (const each of series) {
    const by = Object.fromEntries(groups.map((group) => [group, each[group]]));
    const key = JSON.stringify(by);
    const known = grouped.get(key) ?? { by, total: 0, buckets: each.buckets.map(() => 0) };
    known.total += each.total;
    for (const [index, count] of each.buckets.entries())
      known.buckets[index] = (known.buckets[index] ?? 0) + count;
    grouped.set(key, known);
  }
  return [...grouped.values()].map(({ by, total, buckets }) => ({
    by,
    totals: { 'sum(quantity)': total },
    series: { 'sum(quantity)': buckets },
  }));
}
