import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';
import { requireValidPrivacy } from './check-privacy.ts';

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
