import { audited, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import { projectNotFound } from '#product/visible-projects.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';
import { requireValidPrivacy } from './check-privacy.ts';

/**
 * Changes a part of what is scrubbed from a project's data and answers its settings as they are now; they apply to what
 * is digested from then on. Throws Invalid, naming what is wrong and where, and NotFound.
 */
export async function updateProjectPrivacy(
  ctx: Context,
  input: { projectSlug: string; change: Partial<PrivacySettings> },
): Promise<PrivacySettings> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const { ingestSettings } = ctx.stores;
  const settings = await ingestSettings.findProject(ctx.organization.id, project.id);
  if (!settings) throw projectNotFound(ctx, input.projectSlug);
  const privacy = requireValidPrivacy({ ...settings.privacy, ...input.change });
  return audited(
    ctx,
    async (ctx) => {
      const updated = await ctx.stores.ingestSettings.updateProject(ctx.organization.id, project.id, {
        privacy,
      });
      if (!updated) throw projectNotFound(ctx, input.projectSlug);
      return updated.privacy;
    },
    () => ({
      action: 'project.privacy.edit',
      target: projectTarget(project),
      data: { fields: Object.keys(input.change) },
    }),
  );
}
