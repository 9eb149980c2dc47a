import type { Services } from '#product/services.ts';

/** The present slug of the organization that had this one before; null when there is none, or the user is no member. */
export async function findRenamedOrganization(
  { stores }: Pick<Services, 'stores'>,
  formerSlug: string,
  userId: string,
): Promise<string | null> {
  const organization = await stores.organizations.findByFormerSlug(formerSlug);
  const role = organization && (await stores.accounts.findRole(organization.id, userId));
  return role ? organization.slug : null;
}
