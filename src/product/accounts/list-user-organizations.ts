import type { Services } from '#product/services.ts';
import type { Organization } from '#storage/ports/projects.ts';

/** Organizations that a user is a member of, oldest first. */
export async function listUserOrganizations(
  { stores }: Pick<Services, 'stores'>,
  userId: string,
): Promise<readonly Organization[]> {
  const [memberships, organizations] = await Promise.all([
    stores.accounts.listMemberships(userId),
    stores.projects.listOrganizations(),
  ]);
  const ids = new Set(memberships.map((membership) => membership.organizationId));
  return organizations.filter((organization) => ids.has(organization.id)).sort((a, b) => a.id - b.id);
}
