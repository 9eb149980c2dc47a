import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { actorId } from '#product/grouping/actor-id.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import type { ReprocessRun, ReprocessScope } from '#storage/ports/reprocess.ts';
import { findFilter } from './reprocess-filter.ts';
import { requireReprocessRoom } from './reprocess-room.ts';

/**
 * Applies uploads to stored events, as a job: of a release, an issue, or a bundle. Throws NotFound when the project has no
 * such issue or bundle, Conflict while stored events of the project are being regrouped or symbolicated, and where the
 * disk budget has no room for what that writes.
 */
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
  return await reprocesses.begin(ctx.organization.id, project.id, scope, actorId(ctx), ctx.now());
}
