import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import {
  DOWNLOAD,
  type Parameter,
  PROJECTS,
  period,
  type QueryValues,
  RANGE,
  texts,
} from '#app/api/0/query.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { getOutcomeSeries, getProjectOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import type { OutcomeSeries } from '#product/stats/outcome-store.ts';
import { alignRange } from '#product/time-buckets.ts';

const INTERVAL = period('Bucket size, such as 1h; at least an hour');

const GROUPS = ['outcome', 'category', 'reason', 'project'] as const;

type Group = (typeof GROUPS)[number];

const STATS_QUERY = {
  ...PROJECTS,
  ...RANGE,
  /** By the hour unless it names something else; counts are kept by the hour, and shorter buckets become whole ones. */
  interval: {
    schema: INTERVAL.schema,
    read: (searchParams, name, ctx) =>
      Math.ceil(((INTERVAL.read(searchParams, name, ctx) as number | null) ?? HOUR_MS) / HOUR_MS) * HOUR_MS,
  } satisfies Parameter<number>,
  /** How often an outcome was reported, which the reference counts as well, is not kept. */
  field: {
    schema: z.array(z.string()).describe('sum(quantity)'),
    read(searchParams, name) {
      const other = searchParams.getAll(name).find((field) => field !== '' && field !== 'sum(quantity)');
      if (other === undefined) return null;
      throw invalid(`${name} "${other.slice(0, 40)}" is not supported: only sum(quantity) is counted`, name);
    },
  } satisfies Parameter<null>,
  outcome: texts('Keeps these outcomes'),
  category: texts('Keeps these categories'),
  reason: texts('Keeps these reasons'),
};

const GROUP_BY: Parameter<readonly Group[]> = {
  schema: z.array(z.string()).describe('Fields to group by'),
  read: (searchParams, parameter) =>
    searchParams.getAll(parameter).map((name) => {
      const group = GROUPS.find((each) => each === name);
      if (group) return group;
      throw invalid(`${parameter} "${name.slice(0, 40)}" is not supported: ${GROUPS.join(', ')}`, parameter);
    }),
};

export const statsOperations: readonly Operation[] = [
  /**
   * What became of items, summed by what `groupBy` names. Source:
   * https://docs.sentry.io/api/organizations/retrieve-event-counts-for-an-organization-v2/
   */
  get('organizations/[org]/stats_v2', {
    summary: 'Counts item outcomes over time',
    scopes: ['org:read'],
    query: { ...STATS_QUERY, groupBy: GROUP_BY },
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
    async handle({ ctx, query }) {
      const groups = query.groupBy;
      const requested = openStats(ctx, query);
      const { range, bucketMs } = requested;
      const series = groups.includes('project')
        ? (await getProjectOutcomeSeries(ctx, requested)).map((each) => ({
            ...each,
            projectId: each.project.id,
          }))
        : await getOutcomeSeries(ctx, requested);
      const buckets = Math.ceil((range.toMs - range.fromMs) / bucketMs);
      return {
        start: isoOfMs(range.fromMs),
        end: isoOfMs(range.toMs),
        intervals: Array.from({ length: buckets }, (_, index) => isoOfMs(range.fromMs + index * bucketMs)),
        groups: groupSeries(
          series.filter((each) => isRequested(query, each)),
          groups,
        ),
      };
    },
  }),

  /**
   * What became of the items of each project, in sum; with `?download=1` as CSV.
   * Source: https://docs.sentry.io/api/organizations/retrieve-an-organizations-events-count-by-project/
   */
  get('organizations/[org]/stats-summary', {
    summary: 'Counts item outcomes per project',
    scopes: ['org:read'],
    query: { ...STATS_QUERY, ...DOWNLOAD },
    answer: z.object({
      start: z.string(),
      end: z.string(),
      projects: z.array(
        z.object({
          id: z.string(),
          slug: z.string(),
          stats: z.array(
            z.object({
              category: z.string(),
              outcomes: z.record(z.string(), z.number()),
              totals: z.record(z.string(), z.number()),
            }),
          ),
        }),
      ),
    }),
    async handle({ ctx, query }) {
      const requested = openStats(ctx, query);
      const series = await getProjectOutcomeSeries(ctx, requested);
      const projects = new Map<number, ProjectStats>();
      for (const { project, category, outcome, total } of series.filter((each) => isRequested(query, each))) {
        const known = projects.get(project.id) ?? { id: String(project.id), slug: project.slug, stats: [] };
        projects.set(project.id, known);
        let stats = known.stats.find((each) => each.category === category);
        if (!stats) {
          stats = { category, outcomes: {}, totals: { dropped: 0, 'sum(quantity)': 0 } };
          known.stats.push(stats);
        }
        add(stats.outcomes, outcome, total);
        add(stats.totals, 'sum(quantity)', total);
        if (outcome !== 'accepted') add(stats.totals, 'dropped', total);
      }
      const { fromMs, toMs } = requested.range;
      const rows = [...projects.values()];
      if (query.isDownload) return answerCsv(rows);
      return { start: isoOfMs(fromMs), end: isoOfMs(toMs), projects: rows };
    },
  }),
];

/** Which counts are requested; the last day by default. */
function openStats(ctx: Context, { projectSlugs, range, interval }: QueryValues<typeof STATS_QUERY>) {
  const nowMs = ctx.now();
  return {
    projectSlugs,
    range: alignRange(range ?? { fromMs: nowMs - DAY_MS, toMs: nowMs }, interval),
    bucketMs: interval,
  };
}

/** Whether `outcome`, `category` and `reason`, if given, name these. */
const isRequested = (
  query: QueryValues<typeof STATS_QUERY>,
  series: Pick<OutcomeSeries, 'outcome' | 'category' | 'reason'>,
): boolean =>
  (['outcome', 'category', 'reason'] as const).every((name) => {
    const named = query[name].filter((each) => each !== '');
    return named.length === 0 || named.includes(series[name] ?? '');
  });

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

type ProjectStats = {
  id: string;
  slug: string;
  stats: { category: string; outcomes: Record<string, number>; totals: Record<string, number> }[];
};

function add(counts: Record<string, number>, name: string, quantity: number): void {
  counts[name] = (counts[name] ?? 0) + quantity;
}

/** Slugs and names of outcomes hold nothing that would have to be quoted. */
function answerCsv(projects: readonly ProjectStats[]): Response {
  const rows = projects.flatMap(({ id, slug, stats }) =>
    stats.flatMap(({ category, outcomes }) =>
      Object.entries(outcomes).map(([outcome, quantity]) => [id, slug, category, outcome, quantity]),
    ),
  );
  const lines = [['project_id', 'project_slug', 'category', 'outcome', 'quantity'], ...rows];
  return new Response(lines.map((line) => `${line.join(',')}\r\n`).join(''), {
    headers: {
      'cache-control': 'no-store',
      vary: 'Authorization, Cookie',
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="stats-summary.csv"',
      'x-content-type-options': 'nosniff',
    },
  });
}
