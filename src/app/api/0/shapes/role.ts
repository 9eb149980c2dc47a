import { z } from 'zod';
import { always, EMPTY_LIST, each, FALSE, shapeOf } from '#app/api/0/shape.ts';
import { ROLE, SCOPE } from '#app/api/0/shapes/parts.ts';
import { ROLES, type Role } from '#domain/people.ts';
import type { Context } from '#product/context.ts';
import { roleHas, rolesWithin } from '#product/permissions.ts';
import { SCOPES } from '#protocol/scopes.ts';

const [ROLE_DETAIL, serializeRole] = shapeOf<{ role: Role }, [ctx: Context]>()(
  {
    id: [ROLE, 'role'],
    name: [z.string(), ({ role }) => roleName(role)],
    desc: [z.string(), ({ role }) => DESCRIPTIONS[role]],
    scopes: [z.array(SCOPE), ({ role }) => SCOPES.filter((scope) => roleHas(role, scope))],
    ...each(
      [z.boolean(), ({ role }: { role: Role }, ctx: Context) => rolesWithin(ctx).includes(role)],
      'allowed',
      'isAllowed',
    ),
    ...each(FALSE, 'isRetired', 'isTeamRolesAllowed'),
    ...each([z.boolean(), ({ role }: { role: Role }) => roleHas(role, 'org:write')], 'is_global', 'isGlobal'),
    minimumTeamRole: always(z.string(), 'contributor'),
  },
  'RoleDetail',
);

/** Every role, and which of them the caller may assign. */
export const [ROLE_LISTS, serializeRoles, ROLE_LIST_FIELDS] = shapeOf<Context>()({
  orgRoleList: [z.array(ROLE_DETAIL), (ctx) => ROLES.map((role) => serializeRole({ role }, ctx))],
  // Nobody has a role of their own in a team.
  teamRoleList: EMPTY_LIST,
});

export const roleName = (role: Role): string => `${role.slice(0, 1).toUpperCase()}${role.slice(1)}`;

const DESCRIPTIONS: Readonly<Record<Role, string>> = {
  viewer: 'Can view everything they have access to',
  member: 'Can also manage issues and create releases',
  admin: 'Can also change project settings and alerts',
  manager: 'Can also manage members, teams, and the organization',
  owner: 'Full access',
};
