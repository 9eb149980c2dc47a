import { forbidden } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';

/** Throws Forbidden when an upload serves projects, too, that whoever asks may not see: it would be gone for them. */
export async function requireAllVisible(ctx: Context, bundleId: number): Promise<void> {
  const visible = (await listVisibleProjects(ctx)).map(({ id }) => id);
  const bundle = await ctx.stores.artifacts.findBundleById(ctx.organization.id, visible, bundleId);
  if (bundle?.projectIds.some((id) => !visible.includes(id))) throw servesOthers();
}

export const servesOthers = () =>
  forbidden('The upload also serves projects of other teams: ask somebody who manages the organization');
