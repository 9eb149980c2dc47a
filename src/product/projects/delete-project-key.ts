import { notFound } from '#lib/errors.ts';
import { audited, keyTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from './get-project.ts';

/**
 * Deletes a key, named by its public key, with its limit: what is sent to it afterwards is turned away within seconds.
 * What it brought in stays. Throws NotFound when the project has no such key.
 */
export async function deleteProjectKey(
  ctx: Context,
  input: { projectSlug: string; publicKey: string },
): Promise<void> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const keys = await ctx.stores.projects.listKeys(ctx.organization.id, project.id);
  const key = keys.find(({ publicKey }) => publicKey === input.publicKey);
  const missing = () =>
    notFound(
      `The project ${project.slug} has no client key ${input.publicKey.slice(0, 40)}: reload the list`,
    );
  if (!key) throw missing();
  await audited(
    ctx,
    async (ctx) => {
      if (!(await ctx.stores.projects.deleteKey(ctx.organization.id, key.id))) throw missing();
    },
    () => ({
      action: 'projectkey.remove',
      target: keyTarget(key),
      data: { project: project.slug, label: key.label },
    }),
  );
}
