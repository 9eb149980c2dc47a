import { notFound } from '#lib/errors.ts';
import { audited, keyTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { ClientKey } from '#storage/ports/projects.ts';
import { getProject } from './get-project.ts';

/** Lets a key in or turns it away. Throws NotFound when the project has no such key. */
export async function setProjectKeyActive(
  ctx: Context,
  input: { projectSlug: string; keyId: number; isActive: boolean },
): Promise<ClientKey> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const keys = await ctx.stores.projects.listKeys(ctx.organization.id, project.id);
  const before = keys.find((key) => key.id === input.keyId);
  return audited(
    ctx,
    async (ctx) => {
      const changed =
        before && (await ctx.stores.projects.setKeyActive(ctx.organization.id, input.keyId, input.isActive));
      if (!changed)
        throw notFound(`The project ${project.slug} has no client key ${input.keyId}: reload the list`);
      return changed;
    },
    (after) =>
      before?.isActive === after.isActive
        ? null
        : {
            action: after.isActive ? 'projectkey.enable' : 'projectkey.disable',
            target: keyTarget(after),
            data: { project: project.slug, label: after.label },
          },
  );
}
