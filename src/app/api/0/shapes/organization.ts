import { z } from 'zod';
import { AVATAR, NAMED, NO_AVATAR, SCOPE, serializeAccess } from '#app/api/0/shapes/parts.ts';
import type { Context } from '#product/context.ts';

export const ORGANIZATION = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    status: NAMED,
    dateCreated: z.string(),
    avatar: AVATAR,
    openMembership: z.boolean(),
    isEarlyAdopter: z.boolean(),
    require2FA: z.boolean(),
    requireEmailVerification: z.boolean(),
    hasAuthProvider: z.boolean(),
    allowMemberInvite: z.boolean(),
    allowMemberProjectCreation: z.boolean(),
    allowSuperuserAccess: z.boolean(),
    access: z.array(SCOPE),
    features: z.array(z.unknown()),
    onboardingTasks: z.array(z.unknown()),
    links: z.object({ organizationUrl: z.string(), regionUrl: z.string() }),
  })
  .meta({ id: 'Organization' });

/** Source of the fields: https://docs.sentry.io/api/organizations/list-your-organizations/ */
export function serializeOrganization(ctx: Pick<Context, 'actor' | 'organization' | 'publicUrl'>) {
  const { organization, publicUrl } = ctx;
  return {
    id: String(organization.id),
    slug: organization.slug,
    name: organization.name,
    status: { id: 'active', name: 'active' },
    dateCreated: new Date(organization.createdAt).toISOString(),
    avatar: NO_AVATAR,
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
