import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { OutcomeSeries } from '#storage/ports/digest.ts';

const HOUR_MS = 3_600_000;

/** What became of items, per category, outcome and reason. `bucketMs` is a whole number of hours. */
export async function getOutcomeSeries(
  ctx: Context,
  input: { projectSlugs: readonly string[]; range: Range; bucketMs: number },
): Promise<readonly OutcomeSeries[]> {
  requireRight(ctx, 'org:read');
  checkRange(input.range, input.bucketMs);
  if (input.bucketMs % HOUR_MS !== 0) {
    throw invalid('Outcomes are counted by the hour: choose buckets of whole hours', 'bucketMs');
  }
  const projects = await selectProjects(ctx, input.projectSlugs);
  return ctx.stores.outcomes.series(
    ctx.organization.id,
    projects.map((project) => project.id),
    input.range,
    input.bucketMs,
  );
}
