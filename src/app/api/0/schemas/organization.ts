import { z } from 'zod';
import { AVATAR, NAMED, SCOPE } from './parts.ts';

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
