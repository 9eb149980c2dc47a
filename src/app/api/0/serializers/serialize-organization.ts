import type { Organization } from '#storage/ports/projects.ts';

/** Source of the fields: https://docs.sentry.io/api/organizations/retrieve-an-organization/ */
export function serializeOrganization(organization: Organization, publicUrl: string) {
  return {
    id: String(organization.id),
    slug: organization.slug,
    name: organization.name,
    status: { id: 'active', name: 'active' },
    dateCreated: new Date(organization.createdAt).toISOString(),
    avatar: { avatarType: 'letter_avatar', avatarUuid: null },
    openMembership: organization.isOpen,
    isEarlyAdopter: false,
    require2FA: false,
    // sentry-cli does not read an organization without it.
    requireEmailVerification: false,
    hasAuthProvider: false,
    features: [],
    links: { organizationUrl: `${publicUrl}/${organization.slug}`, regionUrl: publicUrl },
  };
}
