import { forbidden, invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight, rolesWithin } from '#product/permissions.ts';
import { ROLES, type Role } from '#storage/ports/accounts.ts';

/** Throws Forbidden unless whoever asks may manage members, and this one is not above them. */
export function requireManageable(ctx: Context, member: { name: string; role: Role }): void {
  requireRight(ctx, 'member:admin');
  if (rolesWithin(ctx).includes(member.role)) return;
  throw forbidden(`${member.name} is ${member.role} here: only somebody with that role can do this`);
}

/** The named role. Throws Invalid for what is none, Forbidden for one above that of whoever asks. */
export function checkGivenRole(ctx: Context, name: string): Role {
  const role = ROLES.find((each) => each === name);
  if (!role) throw invalid(`"${name.slice(0, 40)}" is no role: choose among ${ROLES.join(', ')}`, 'role');
  if (rolesWithin(ctx).includes(role)) return role;
  throw forbidden(`You cannot make somebody ${role}: your own role is lower`);
}
