import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PROJECTS, RANGE } from '#app/api/0/parameters.ts';
import { invalid } from '#lib/errors.ts';
import { getOutcomeSeries, getProjectOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import type { OutcomeSeries } from '#product/stats/outcome-store.ts';
import { isAskedFor, openStats } from './open-stats.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

const GROUPS = ['outcome', 'category', 'reason', 'project'] as const;
type Group = (typeof GROUPS)[number];

const OUTCOME_STATS = {
  summary: 'Tells what became of items over time',
  scopes: ['org:read'],
  query: {
    ...PROJECTS,
    ...RANGE,
    interval: z.string().describe('The size of a bucket, such as 1h'),
    outcome: z.string().describe('Keeps this outcome'),
    category: z.string().describe('Keeps this category'),
    groupBy: z.string().describe('Names of what is summed by'),
  },
  answer: z.object({
    start: z.string(),
    end: z.string(),
    intervals: z.array(z.string()),
    groups: z.array(
      z.object({
        by: z.object({
          project: z.union([z.string(), z.number()]).optional(),
          reason: z.union([z.string(), z.number()]).optional(),
          category: z.union([z.string(), z.number()]).optional(),
          outcome: z.union([z.string(), z.number()]).optional(),
        }),
        totals: z.object({ 'sum(quantity)': z.number() }),
        series: z.object({ 'sum(quantity)': z.array(z.number()) }),
      }),
    ),
  }),
} satisfies Operation;

/**
 * What became of items, summed by what `groupBy` names. Source:
 * https://docs.sentry.io/api/organizations/retrieve-event-counts-for-an-organization-v2/
 */
export const outcomeStatsEndpoint = declare<OrganizationParams>(
  OUTCOME_STATS,
  async ({ caller, url, params }) => {
    const ctx = contextOf(caller, params.org);
    const groups = readGroups(url);
    const asked = await openStats(ctx, url);
    const { range, bucketMs } = asked;
    const series = groups.includes('project')
      ? (await getProjectOutcomeSeries(ctx, asked)).map((each) => ({ ...each, projectId: each.project.id }))
      : await getOutcomeSeries(ctx, asked);
    const buckets = Math.ceil((range.toMs - range.fromMs) / bucketMs);
    return {
      body: {
        start: new Date(range.fromMs).toISOString(),
        end: new Date(range.toMs).toISOString(),
        intervals: Array.from({ length: buckets }, (_, index) =>
          new Date(range.fromMs + index * bucketMs).toISOString(),
        ),
        groups: groupSeries(
          series.filter((each) => isAskedFor(url, each)),
          groups,
        ),
      },
    };
  },
);

function readGroups(url: URL): readonly Group[] {
  return url.searchParams.getAll('groupBy').map((name) => {
    const group = GROUPS.find((each) => each === name);
    if (!group)
      throw invalid(`groupBy "${name.slice(0, 40)}" is not supported: ${GROUPS.join(', ')}`, 'groupBy');
    return group;
  });
}

type CountedSeries = OutcomeSeries & { projectId?: number };
type GroupNames = Partial<Record<Group, string | number>>;

function groupSeries(series: readonly CountedSeries[], groups: readonly Group[]) {
  const grouped = new Map<string, { by: GroupNames; total: number; buckets: number[] }>();
  for (const each of series) {
    const named = { ...each, project: each.projectId ?? 0 };
    const by: GroupNames = Object.fromEntries(groups.map((group) => [group, named[group]]));
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
