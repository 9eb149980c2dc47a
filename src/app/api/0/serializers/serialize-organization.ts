import type { Context } from '#product/context.ts';
import { AVATAR, serializeAccess } from './serialize-access.ts';

/** Source of the fields: https://docs.sentry.io/api/organizations/list-your-organizations/ */
export function serializeOrganization(ctx: Pick<Context, 'actor' | 'organization' | 'publicUrl'>) {
  const { organization, publicUrl } = ctx;
  return {
    id: String(organization.id),
    slug: organization.slug,
    name: organization.name,
    status: { id: 'active', name: 'active' },
    dateCreated: new Date(organization.createdAt).toISOString(),
    avatar: AVATAR,
    openMembership: organization.isOpen,
    isEarlyAdopter: false,
    require2FA: false,
    // sentry-cli does not read an organization without it.
    requireEmailVerification: false,
    hasAuthProvider: false,
    // Whoever may do these has the scopes for it.
    allowMemberInvite: false,
    allowMemberProjectCreation: false,
    allowSuperuserAccess: false,
    access: serializeAccess(ctx),
    features: [],
    onboardingTasks: [],
    links: { organizationUrl: `${publicUrl}/${organization.slug}`, regionUrl: publicUrl },
  };
}
