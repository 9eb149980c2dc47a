import { z } from 'zod';
import { ORGANIZATION } from '#app/api/0/shapes/organization.ts';
import { ROLE } from '#app/api/0/shapes/parts.ts';
import { PROJECT } from '#app/api/0/shapes/project.ts';
import { ROLE_DETAIL } from '#app/api/0/shapes/role.ts';
import { TEAM_CORE } from '#app/api/0/shapes/team.ts';

/** With its settings, teams and projects; `role` and `orgRole` are those of the person who asks. */
export const ORGANIZATION_DETAIL = ORGANIZATION.extend({
  isDefault: z.boolean(),
  defaultRole: z.string(),
  orgRoleList: z.array(ROLE_DETAIL),
  teamRoleList: z.array(z.unknown()),
  allowSharedIssues: z.boolean(),
  allowJoinRequests: z.boolean(),
  eventsMemberAdmin: z.boolean(),
  alertsMemberWrite: z.boolean(),
  pendingAccessRequests: z.number(),
  experiments: z.object({}),
  trustedRelays: z.array(z.unknown()),
  teams: z.array(TEAM_CORE),
  projects: z.array(PROJECT),
  dataScrubber: z.boolean(),
  dataScrubberDefaults: z.boolean(),
  scrubIPAddresses: z.boolean(),
  sensitiveFields: z.array(z.string()),
  safeFields: z.array(z.string()),
  role: ROLE.optional(),
  orgRole: ROLE.optional(),
}).meta({ id: 'OrganizationDetail' });
