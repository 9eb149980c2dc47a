import { z } from 'zod';
import type { Project } from '#domain/projects.ts';
import { notFound } from '#lib/errors.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { requireOneOf, requireRight } from '#product/permissions.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import type { ArtifactBundle } from './artifact.ts';
import { ARTIFACT_READ_RIGHTS, requireAllVisible } from './upload-projects.ts';

/** Uploads of the projects (all visible ones for none), newest first; `version` null for any. */
export async function listBundles(
  ctx: Context,
  input: {
    projectSlugs: readonly string[];
    version: string | null;
    search: string;
    cursor: string | null;
    limit: number;
  },
): Promise<{ bundles: readonly BundleRow[]; nextCursor: string | null }> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  checkLimit(input.limit);
  const asked = await selectProjects(ctx, input.projectSlugs);
  const visible = await listVisibleProjects(ctx);
  const { bundles, next } = await ctx.stores.artifacts.listBundles(
    ctx.organization.id,
    asked.map(({ id }) => id),
    {
      kind: null,
      version: input.version,
      search: input.search.trim(),
      limit: input.limit,
      after: decodeCursor(input.cursor, BUNDLE_PLACE),
    },
  );
  return {
    bundles: bundles.map((bundle) => toBundleRow(bundle, visible)),
    nextCursor: next && encodeCursor(next),
  };
}

/** Throws NotFound when none of the projects, every visible one for none, has it. */
export async function getBundle(
  ctx: Context,
  input: { bundleId: number; projectSlugs: readonly string[] },
): Promise<BundleRow> {
  requireOneOf(ctx, ARTIFACT_READ_RIGHTS);
  return await findBundleRow(ctx, input);
}

/** Deletes an upload, its bytes within two hours. Throws NotFound, and Forbidden when hidden projects use it, too. */
export async function deleteBundle(ctx: Context, input: { bundleId: number }): Promise<void> {
  requireRight(ctx, 'project:write');
  const bundle = await findBundleRow(ctx, { bundleId: input.bundleId, projectSlugs: [] });
  await requireAllVisible(ctx, bundle.id);
  await audited(
    ctx,
    (ctx) => ctx.stores.artifacts.deleteBundles(ctx.organization.id, [bundle.id]),
    () => ({
      action: 'artifact-bundle.remove',
      target: { kind: 'artifact_bundle', id: bundle.id, name: bundle.checksum },
      data: { projects: bundle.projectSlugs, releases: bundle.releases, files: bundle.fileCount },
    }),
  );
}

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
  if (!bundle) throw notFound('Upload not found: it was deleted, or has expired because it was not used');
  return toBundleRow(bundle, await listVisibleProjects(ctx));
}
