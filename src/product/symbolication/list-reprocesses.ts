import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import type { ReprocessRun, ReprocessScope } from '#storage/ports/reprocess.ts';

const RUNS_MAX = 50;

/** Runs that applied uploads to the stored events of a scope, newest first: those of the last 30 days. */
export async function listReprocesses(
  ctx: Context,
  input: { projectSlug: string; scope: ReprocessScope; limit: number },
): Promise<readonly ReprocessRun[]> {
  requireRight(ctx, 'project:read');
  const project = await getProject(ctx, input.projectSlug);
  const limit = Math.min(Math.max(1, input.limit), RUNS_MAX);
  return await ctx.stores.reprocesses.list(ctx.organization.id, [project.id], input.scope, limit);
}
