import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import { projectNotFound } from '#product/visible-projects.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';

/**
 * The project's own settings, and its organization's, which apply besides. Throws NotFound when the organization has no
 * such project that the actor may see.
 */
export async function getProjectPrivacy(
  ctx: Context,
  projectSlug: string,
): Promise<{ project: PrivacySettings; organization: PrivacySettings }> {
  requireRight(ctx, 'project:read');
  const { id } = await getProject(ctx, projectSlug);
  const [settings, organization] = await Promise.all([
    ctx.stores.ingestSettings.findProject(ctx.organization.id, id),
    ctx.stores.ingestSettings.findOrganizationPrivacy(ctx.organization.id),
  ]);
  if (!settings) throw projectNotFound(ctx, projectSlug);
  return { project: settings.privacy, organization };
}
