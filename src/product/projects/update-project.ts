import { forbidden, invalid } from '#lib/errors.ts';
import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { projectNotFound } from '#product/visible-projects.ts';
import type { Project, ProjectChange } from '#storage/ports/projects.ts';
import { checkPlatform, checkProjectName } from './check-project-fields.ts';
import { checkProjectSlug } from './check-project-slug.ts';
import { getProject } from './get-project.ts';

/**
 * Changes name, slug or platform. Issues keep the short ids that they have; later ones begin with the new slug. Throws
 * Invalid naming the field, and Conflict when another project has the slug, or issues that begin with it.
 */
export async function updateProject(
  ctx: Context,
  input: { projectSlug: string; change: ProjectChange },
): Promise<Project> {
  requireRight(ctx, 'project:write');
  const before = await getProject(ctx, input.projectSlug);
  if (before.isInternal) throw forbidden('This project belongs to Errata itself: it stays as it is');
  const change = checkChange(input.change, before);
  return audited(
    ctx,
    async (ctx) => {
      const updated = await ctx.stores.projects.updateProject(ctx.organization.id, before.id, change);
      if (!updated) throw projectNotFound(ctx, input.projectSlug);
      return updated;
    },
    (after) => {
      const changed = FIELDS.filter((field) => before[field] !== after[field]);
      if (changed.length === 0) return null;
      const data = changed.map((field) => [field, { from: before[field], to: after[field] }]);
      return { action: 'project.edit', target: projectTarget(after), data: Object.fromEntries(data) };
    },
  );
}

const FIELDS = ['name', 'slug', 'platform'] as const;

function checkChange({ name, slug, platform }: ProjectChange, before: Project): ProjectChange {
  const change: ProjectChange = {};
  if (name !== undefined) {
    change.name = checkProjectName(name) ?? undefined;
    if (change.name === undefined) throw invalid('Give the project a name', 'name');
  }
  if (slug !== undefined && slug !== before.slug) {
    checkProjectSlug(slug);
    change.slug = slug;
  }
  if (platform !== undefined) change.platform = checkPlatform(platform);
  return change;
}
