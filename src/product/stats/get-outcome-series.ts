import type { Project } from '#domain/projects.ts';
import { invalid } from '#lib/errors.ts';
import { HOUR_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { OutcomeSeries } from './outcome-store.ts';

type Input = { projectSlugs: readonly string[]; range: Range; bucketMs: number };

/** What became of items, per category, outcome and reason. `bucketMs` is a whole number of hours. */
export async function getOutcomeSeries(ctx: Context, input: Input): Promise<readonly OutcomeSeries[]> {
  const projects = await checkInput(ctx, input);
  const projectIds = projects.map((project) => project.id);
  return ctx.stores.outcomes.series(ctx.organization.id, projectIds, input.range, input.bucketMs);
}

/** As `getOutcomeSeries`, of each project by itself. */
export async function getProjectOutcomeSeries(
  ctx: Context,
  input: Input,
): Promise<readonly (OutcomeSeries & { project: Project })[]> {
  const projects = await checkInput(ctx, input);
  const projectIds = projects.map((project) => project.id);
  const { range, bucketMs } = input;
  const series = await ctx.stores.outcomes.seriesByProject(ctx.organization.id, projectIds, range, bucketMs);
  const byId = new Map(projects.map((project) => [project.id, project]));
  return series.flatMap(({ projectId, ...each }) => {
    const project = byId.get(projectId);
    return project ? [{ ...each, project }] : [];
  });
}

async function checkInput(ctx: Context, input: Input): Promise<readonly Project[]> {
  requireRight(ctx, 'org:read');
  checkRange(input.range, input.bucketMs);
  if (input.bucketMs % HOUR_MS !== 0) {
    throw invalid('Outcomes are counted by hour: use buckets of whole hours', 'bucketMs');
  }
  return selectProjects(ctx, input.projectSlugs);
}
