import { notFound } from '#lib/errors.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { OrganizationChange } from '#storage/ports/organizations.ts';
import type { Organization } from '#storage/ports/projects.ts';
import { checkNewSlug, checkOrganizationName } from './check-organization-name.ts';

/**
 * Changes the name, the slug, or whether everybody reads every project. Addresses with the former slug lead to the new
 * one. Throws Invalid naming the field, Conflict for a taken slug.
 */
export async function updateOrganization(ctx: Context, change: OrganizationChange): Promise<Organization> {
  requireRight(ctx, 'org:write');
  const checked = checkChange(change);
  const before = ctx.organization;
  return audited(
    ctx,
    async (ctx) => {
      const updated = await ctx.stores.organizations.update(before.id, checked, ctx.now());
      if (!updated) throw notFound(`The organization ${before.slug} is gone`);
      return updated;
    },
    (after) => {
      const changed = (['name', 'slug', 'isOpen'] as const).filter((field) => before[field] !== after[field]);
      if (changed.length === 0) return null;
      const data = changed.map((field) => [field, { from: before[field], to: after[field] }]);
      return { action: 'org.edit', target: organizationTarget(ctx), data: Object.fromEntries(data) };
    },
  );
}

const checkChange = ({ name, slug, isOpen }: OrganizationChange): OrganizationChange => ({
  isOpen,
  slug: slug === undefined ? undefined : checkNewSlug(slug),
  ...(name !== undefined && { name: checkOrganizationName(name) }),
});
