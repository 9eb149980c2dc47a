import { z } from 'zod';
import { each } from '#app/api/0/shape.ts';
import { ORGANIZATION } from '#app/api/0/shapes/organization.ts';
import { ROLE } from '#app/api/0/shapes/parts.ts';
import { PROJECT } from '#app/api/0/shapes/project.ts';
import { ROLE_LISTS } from '#app/api/0/shapes/role.ts';
import { PRIVACY } from '#app/api/0/shapes/scrubbing.ts';
import { TEAM_CORE } from '#app/api/0/shapes/team.ts';

/** With its settings, teams and projects; `role` and `orgRole` are those of the person who asks. */
export const ORGANIZATION_DETAIL = ORGANIZATION.extend({
  isDefault: z.boolean(),
  defaultRole: z.string(),
  ...ROLE_LISTS.shape,
  ...each(z.boolean(), 'allowSharedIssues', 'allowJoinRequests', 'eventsMemberAdmin', 'alertsMemberWrite'),
  pendingAccessRequests: z.number(),
  experiments: z.object({}),
  trustedRelays: z.array(z.unknown()),
  teams: z.array(TEAM_CORE),
  projects: z.array(PROJECT),
  ...PRIVACY.shape,
  role: ROLE.optional(),
  orgRole: ROLE.optional(),
}).meta({ id: 'OrganizationDetail' });
