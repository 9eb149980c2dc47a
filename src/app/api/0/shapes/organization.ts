import { z } from 'zod';
import { always, EMPTY_LIST, each, FALSE, shapeOf } from '#app/api/0/shape.ts';
import { isoOfMs } from '#app/api/0/shapes/moments.ts';
import { NAMED, NO_AVATAR, SCOPE, serializeAccess } from '#app/api/0/shapes/parts.ts';
import type { Context } from '#product/context.ts';

/** Source of the fields: https://docs.sentry.io/api/organizations/list-your-organizations/ */
export const [ORGANIZATION, serializeOrganization, ORGANIZATION_FIELDS] = shapeOf<
  Pick<Context, 'actor' | 'organization' | 'publicUrl'>
>()(
  {
    id: [z.string(), ({ organization }) => String(organization.id)],
    slug: [z.string(), ({ organization }) => organization.slug],
    name: [z.string(), ({ organization }) => organization.name],
    status: always(NAMED, { id: 'active', name: 'active' }),
    dateCreated: [z.string(), ({ organization }) => isoOfMs(organization.createdAt)],
    avatar: NO_AVATAR,
    openMembership: [z.boolean(), ({ organization }) => organization.isOpen],
    // sentry-cli does not read an organization without `requireEmailVerification`.
    ...each(FALSE, 'isEarlyAdopter', 'require2FA', 'requireEmailVerification', 'hasAuthProvider'),
    // Whoever may do these has the scopes for it.
    ...each(FALSE, 'allowMemberInvite', 'allowMemberProjectCreation', 'allowSuperuserAccess'),
    access: [z.array(SCOPE), (ctx) => serializeAccess(ctx)],
    ...each(EMPTY_LIST, 'features', 'onboardingTasks'),
    links: [
      z.object({ organizationUrl: z.string(), regionUrl: z.string().optional() }),
      ({ organization, publicUrl }) => ({
        organizationUrl: `${publicUrl}/${organization.slug}`,
        // Clients take a region's address only over https. Without one they stay at the address they were given.
        ...(publicUrl.startsWith('https:') && { regionUrl: publicUrl }),
      }),
    ],
  },
  'Organization',
);
