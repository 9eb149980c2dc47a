import { forbidden, invalid } from '#lib/errors.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { projectNotFound } from '#product/visible-projects.ts';
import { getProject } from './get-project.ts';

/**
 * Deletes the project with its issues, keys and settings at once, and everything that it has stored within minutes.
 * `confirmation` is its slug, typed once more. Throws Invalid when it is not.
 */
export async function deleteProject(
  ctx: Context,
  input: { projectSlug: string; confirmation: string },
): Promise<void> {
  requireRight(ctx, 'project:admin');
  const project = await getProject(ctx, input.projectSlug);
  if (project.isInternal) throw forbidden('This project belongs to Errata itself: it cannot be deleted');
  if (input.confirmation.trim() !== project.slug) {
    throw invalid(`Type the slug ${project.slug} to delete the project`, 'confirmation');
  }
  await audited(
    ctx,
    async (ctx) => {
      const isDeleted = await ctx.stores.projectDeletions.deleteProject(
        ctx.organization.id,
        project.id,
        ctx.now(),
      );
      if (!isDeleted) throw projectNotFound(ctx, project.slug);
    },
    () => ({ action: 'project.remove', target: projectTarget(project), data: { name: project.name } }),
  );
}
