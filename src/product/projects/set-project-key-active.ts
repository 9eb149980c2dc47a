import { notFound } from '#lib/errors.ts';
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
  const isOfProject = keys.some((key) => key.id === input.keyId);
  const changed =
    isOfProject && (await ctx.stores.projects.setKeyActive(ctx.organization.id, input.keyId, input.isActive));
  if (!changed)
    throw notFound(`The project ${project.slug} has no client key ${input.keyId}: reload the list`);
  return changed;
}
