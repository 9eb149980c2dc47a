import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { DOWNLOAD, PROJECTS, RANGE } from '#app/api/0/parameters.ts';
import { isDownload } from '#app/api/0/read-parameters.ts';
import { getProjectOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { isAskedFor, openStats } from './open-stats.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

type ProjectStats = {
  id: string;
  slug: string;
  stats: { category: string; outcomes: Record<string, number>; totals: Record<string, number> }[];
};

const STATS_SUMMARY = {
  summary: 'Tells what became of the items of each project',
  scopes: ['org:read'],
  query: {
    ...PROJECTS,
    ...RANGE,
    interval: z.string().describe('The size of a bucket, such as 1h'),
    outcome: z.string().describe('Keeps this outcome'),
    category: z.string().describe('Keeps this category'),
    ...DOWNLOAD,
  },
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
} satisfies Operation;

/**
 * What became of the items of each project, in sum; with `?download=1` as CSV.
 * Source: https://docs.sentry.io/api/organizations/retrieve-an-organizations-events-count-by-project/
 */
export const statsSummaryEndpoint = declare<OrganizationParams>(
  STATS_SUMMARY,
  async ({ caller, url, params }) => {
    const ctx = contextOf(caller, params.org);
    const asked = await openStats(ctx, url);
    const series = await getProjectOutcomeSeries(ctx, asked);
    const projects = new Map<number, ProjectStats>();
    for (const { project, category, outcome, total } of series.filter((each) => isAskedFor(url, each))) {
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
    const { fromMs, toMs } = asked.range;
    const rows = [...projects.values()];
    if (isDownload(url)) return answerCsv(rows);
    return {
      body: { start: new Date(fromMs).toISOString(), end: new Date(toMs).toISOString(), projects: rows },
    };
  },
);

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
