import { z } from 'zod';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import type { ArtifactBundle } from '#storage/ports/artifacts.ts';
import type { Project } from '#storage/ports/projects.ts';

export const BUNDLE_PLACE = z.object({ uploadedAt: z.number(), id: z.number().int() });

/** An upload as lists show it, with only those of its projects that whoever asks may see. */
export type BundleRow = ArtifactBundle & { projectSlugs: readonly string[] };

export function toBundleRow(bundle: ArtifactBundle, visible: readonly Project[]): BundleRow {
  const projects = visible.filter(({ id }) => bundle.projectIds.includes(id));
  return {
    ...bundle,
    projectIds: projects.map(({ id }) => id),
    projectSlugs: projects.map(({ slug }) => slug),
  };
}

/** Throws NotFound when none of the projects, every visible one for none, has it. */
export async function findBundleRow(
  ctx: Context,
  input: { bundleId: number; projectSlugs: readonly string[] },
): Promise<BundleRow> {
  const asked = await selectProjects(ctx, input.projectSlugs);
  const bundle = await ctx.stores.artifacts.findBundleById(
    ctx.organization.id,
    asked.map(({ id }) => id),
    input.bundleId,
  );
  if (!bundle)
    throw notFound('No project has such an upload: it was deleted, or nobody has used it for long');
  return toBundleRow(bundle, await listVisibleProjects(ctx));
}
