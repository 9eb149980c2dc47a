import { invalid, isErrataError, notFound } from '#lib/errors.ts';
import { checkOrganizationSlug } from '#product/accounts/check-organization-slug.ts';
import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { OrganizationChange } from '#storage/ports/organizations.ts';
import type { Organization } from '#storage/ports/projects.ts';

const NAME_CHARACTERS_MAX = 100;

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
    async () => {
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

function checkChange({ name, slug, isOpen }: OrganizationChange): OrganizationChange {
  const checked: OrganizationChange = { slug, isOpen };
  if (name !== undefined) {
    checked.name = name.trim();
    if (checked.name === '' || checked.name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(checked.name)) {
      throw invalid(`Use a name of 1 to ${NAME_CHARACTERS_MAX} characters`, 'name');
    }
  }
  if (slug === undefined) return checked;
  try {
    checkOrganizationSlug(slug);
  } catch (error) {
    throw isErrataError(error) ? invalid(error.message, 'slug') : error;
  }
  return checked;
}
