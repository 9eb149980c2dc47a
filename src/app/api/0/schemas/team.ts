import { z } from 'zod';
import { ORGANIZATION } from './organization.ts';
import { AVATAR, SCOPE } from './parts.ts';
import { PROJECT_CORE } from './project.ts';

/** As part of an organization. */
export const TEAM_CORE = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    dateCreated: z.string(),
    isMember: z.boolean(),
    teamRole: z.null(),
    flags: z.object({}),
    access: z.array(SCOPE),
    hasAccess: z.boolean(),
    isPending: z.boolean(),
    memberCount: z.number(),
    avatar: AVATAR,
  })
  .meta({ id: 'TeamCore' });

export const TEAM = TEAM_CORE.extend({ organization: ORGANIZATION, projects: z.array(PROJECT_CORE) }).meta({
  id: 'Team',
});
