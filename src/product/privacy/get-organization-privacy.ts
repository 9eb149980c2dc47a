import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';

/** What is scrubbed from the data of all projects, besides what each of them scrubs. */
export async function getOrganizationPrivacy(ctx: Context): Promise<PrivacySettings> {
  requireRight(ctx, 'org:read');
  return ctx.stores.ingestSettings.findOrganizationPrivacy(ctx.organization.id);
}
