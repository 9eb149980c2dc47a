import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getIngestSettings, replaceIngestSettings } from '#product/project-settings.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';
import { requireValidPrivacy } from './check-privacy.ts';

/** What is scrubbed from the data of all projects, besides what each of them scrubs. */
export async function getOrganizationPrivacy(ctx: Context): Promise<PrivacySettings> {
  requireRight(ctx, 'org:read');
  return ctx.stores.ingestSettings.findOrganizationPrivacy(ctx.organization.id);
}

/** The project's own settings and its organization's, which apply, too. Throws NotFound. */
export async function getProjectPrivacy(
  ctx: Context,
  projectSlug: string,
): Promise<{ project: PrivacySettings; organization: PrivacySettings }> {
  const { settings } = await getIngestSettings(ctx, projectSlug);
  const organization = await ctx.stores.ingestSettings.findOrganizationPrivacy(ctx.organization.id);
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

/** Changes settings for events digested from now on. Throws Invalid, naming what is wrong and where, and NotFound. */
export async function updateProjectPrivacy(
  ctx: Context,
  input: { projectSlug: string; change: Partial<PrivacySettings> },
): Promise<PrivacySettings> {
  requireRight(ctx, 'project:write');
  const { project, settings } = await getIngestSettings(ctx, input.projectSlug);
  const privacy = requireValidPrivacy({ ...settings.privacy, ...input.change });
  return replaceIngestSettings(ctx, project, 'privacy', privacy, {
    action: 'project.privacy.edit',
    data: { fields: Object.keys(input.change) },
  });
}
