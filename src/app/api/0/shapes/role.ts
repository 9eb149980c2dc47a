import { z } from 'zod';
import { ROLE, SCOPE } from '#app/api/0/shapes/parts.ts';
import { ROLES, type Role } from '#domain/people.ts';
import type { Context } from '#product/context.ts';
import { roleHas, rolesWithin } from '#product/permissions.ts';
import { SCOPES } from '#protocol/scopes.ts';

export const ROLE_DETAIL = z
  .object({
    id: ROLE,
    name: z.string(),
    desc: z.string(),
    scopes: z.array(SCOPE),
    allowed: z.boolean(),
    isAllowed: z.boolean(),
    isRetired: z.boolean(),
    isTeamRolesAllowed: z.boolean(),
    is_global: z.boolean(),
    isGlobal: z.boolean(),
    minimumTeamRole: z.string(),
  })
  .meta({ id: 'RoleDetail' });

/** Every role, and which of them whoever asks may give. */
export const serializeRoles = (ctx: Context) => ({
  orgRoleList: ROLES.map((role) => serializeRole(ctx, role)),
  // Nobody has a role of their own in a team.
  teamRoleList: [],
});

function serializeRole(ctx: Context, role: Role) {
  const isAllowed = rolesWithin(ctx).includes(role);
  return {
    id: role,
    name: `${role.slice(0, 1).toUpperCase()}${role.slice(1)}`,
    desc: DESCRIPTIONS[role],
    scopes: SCOPES.filter((scope) => roleHas(role, scope)),
    allowed: isAllowed,
    isAllowed,
    isRetired: false,
    isTeamRolesAllowed: false,
    is_global: roleHas(role, 'org:write'),
    isGlobal: roleHas(role, 'org:write'),
    minimumTeamRole: 'contributor',
  };
}

const DESCRIPTIONS: Readonly<Record<Role, string>> = {
  viewer: 'Can view everything they have access to',
  member: 'Can also manage issues and create releases',
  admin: 'Can also change project settings and alerts',
  manager: 'Can also manage members, teams, and the organization',
  owner: 'Full access',
};
