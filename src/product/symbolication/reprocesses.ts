import { notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { getVisibleChange } from '#product/grouping/grouping-changes.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/visible-projects.ts';
import { requireReprocessRoom } from './reprocess-staging.ts';
import type { ReprocessRun, ReprocessScope } from './reprocess-store.ts';
import { findFilter } from './resymbolicate-event.ts';

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

/** Applies uploads to stored events of a release, issue or bundle, as a job. Throws NotFound, Conflict. */
export async function startReprocess(
  ctx: Context,
  input: { projectSlug: string; scope: ReprocessScope },
): Promise<ReprocessRun> {
  requireRight(ctx, 'event:write');
  const project = await getProject(ctx, input.projectSlug);
  const { artifacts, issues, reprocesses } = ctx.stores;
  const { scope } = input;
  if (scope.kind === 'issue') {
    const [issue] = await issues.findByIds(ctx.organization.id, [scope.issueId]);
    if (issue?.projectId !== project.id) throw notFound(`The project has no issue ${scope.issueId}`);
  }
  if (scope.kind === 'bundle') {
    const bundle = await artifacts.findBundleById(ctx.organization.id, [project.id], scope.bundleId);
    if (!bundle) throw notFound(`The project has no uploaded bundle ${scope.bundleId}`);
  }
  const place = { organizationId: ctx.organization.id, projectId: project.id };
  const filter = await findFilter(ctx.stores, place, scope);
  if (filter) await requireReprocessRoom(ctx.stores, place, filter);
  return await reprocesses.begin(ctx.organization.id, project.id, scope, userIdOf(ctx), ctx.now());
}

/** Cancels a run before issues change; source already shown stays. Throws Conflict afterwards, NotFound. */
export async function cancelReprocess(ctx: Context, runId: number): Promise<void> {
  requireRight(ctx, 'event:write');
  const change = await getVisibleChange(ctx, runId);
  if (change.kind !== 'reprocess') throw notFound(`Reprocessing run ${runId} not found`);
  await ctx.stores.regroups.cancel(ctx.organization.id, runId, ctx.now());
}
