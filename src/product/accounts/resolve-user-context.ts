import type { Organization } from '#domain/projects.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { Services } from '#product/services.ts';
import type { Session } from '#storage/ports/authenticator.ts';
import { requireSecondFactor } from './second-factor-policy.ts';

/** Throws NotFound for an unknown organization or no membership, Forbidden when it requires a second factor. */
export async function resolveUserContext(
  services: Pick<Services, 'stores' | 'now' | 'publicUrl'>,
  organizationSlug: string,
  session: Session,
): Promise<Context> {
  const organization = await services.stores.projects.findOrganization(organizationSlug);
  const access = organization && (await services.stores.accounts.findAccess(organization.id, session.userId));
  if (!organization || !access) {
    throw notFound(
      `Organization "${organizationSlug}" not found: check the URL, or ask its owner to invite you`,
    );
  }
  if (access.requiresTwoFactor) requireSecondFactor(session, organization, services.publicUrl);
  return {
    stores: services.stores,
    organization,
    actor: {
      kind: 'user',
      userId: session.userId,
      name: session.name,
      role: access.role,
      isInstanceOwner: session.isInstanceOwner,
    },
    now: services.now,
    publicUrl: services.publicUrl,
  };
}

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
