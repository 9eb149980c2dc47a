import { audited, organizationTarget, projectTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject, projectNotFound } from '#product/visible-projects.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';
import { requireValidPrivacy } from './check-privacy.ts';

/** What is scrubbed from the data of all projects, besides what each of them scrubs. */
export async function getOrganizationPrivacy(ctx: Context): Promise<PrivacySettings> {
  requireRight(ctx, 'org:read');
  return ctx.stores.ingestSettings.findOrganizationPrivacy(ctx.organization.id);
}

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

/** Changes a part of what is scrubbed from the data of all projects. Throws Invalid, naming what is wrong and where. */
export async function updateOrganizationPrivacy(
  ctx: Context,
  change: Partial<PrivacySettings>,
): Promise<PrivacySettings> {
  requireRight(ctx, 'org:write');
  const { ingestSettings } = ctx.stores;
  const settings = await ingestSettings.findOrganizationPrivacy(ctx.organization.id);
  const privacy = requireValidPrivacy({ ...settings, ...change });
  return audited(
    ctx,
    (ctx) => ctx.stores.ingestSettings.updateOrganizationPrivacy(ctx.organization.id, privacy),
    () => ({
      action: 'org.privacy.edit',
      target: organizationTarget(ctx),
      data: { fields: Object.keys(change) },
    }),
  );
}

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
