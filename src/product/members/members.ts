import { ROLES, type Role } from '#domain/people.ts';
import { conflict, forbidden, invalid, notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight, rolesWithin } from '#product/permissions.ts';
import type { OrganizationMember } from './member-store.ts';

/** Everybody in the organization, by name. */
export async function listMembers(ctx: Context): Promise<readonly OrganizationMember[]> {
  requireRight(ctx, 'member:read');
  return ctx.stores.members.list(ctx.organization.id);
}

/** By number, by user id, or `me` for whoever asks. Throws NotFound, also for members of other organizations. */
export async function getMember(ctx: Context, name: string): Promise<OrganizationMember> {
  const userId = name === 'me' ? userIdOf(ctx) : name;
  const members = await listMembers(ctx);
  const member = members.find((each) => each.userId === userId || String(each.id) === name);
  if (!member) throw memberNotFound(ctx, name);
  return member;
}

export const memberNotFound = (ctx: Context, name: string) =>
  notFound(`Organization ${ctx.organization.slug} has no member "${name.slice(0, 80)}": reload the list`);

/** Changes a member's role. Throws Forbidden above one's own role, Conflict for the last owner, NotFound. */
export async function changeRole(
  ctx: Context,
  input: { member: string; role: string },
): Promise<OrganizationMember> {
  requireRight(ctx, 'member:admin');
  const member = await getMember(ctx, input.member);
  requireManageable(ctx, member);
  const role = checkGivenRole(ctx, input.role);
  if (role === member.role) return member;
  await audited(
    ctx,
    async (ctx) => {
      const change = await ctx.stores.members.changeRole(ctx.organization.id, member.userId, role);
      if (change === 'unknown') throw memberNotFound(ctx, input.member);
      if (change === 'last_owner') throw lastOwner();
    },
    () => ({
      action: 'member.edit',
      target: { kind: 'member', id: member.id, name: member.email },
      data: { role: { from: member.role, to: role } },
    }),
  );
  return { ...member, role };
}

export const lastOwner = () =>
  conflict('An organization needs at least one owner: make someone else an owner first');

/** Removes a member, tokens and assignments. Throws Forbidden, Conflict for the last owner or oneself, NotFound. */
export async function removeMember(ctx: Context, input: { member: string }): Promise<void> {
  requireRight(ctx, 'member:admin');
  const member = await getMember(ctx, input.member);
  requireManageable(ctx, member);
  if (member.userId === userIdOf(ctx)) {
    throw conflict('You cannot remove yourself: use "Leave the organization" instead');
  }
  await endMembership(ctx, member, 'member.remove');
}

/** Whoever asks leaves. Throws Conflict for the last owner, also for tokens: leaving is for people. */
export async function leaveOrganization(ctx: Context): Promise<void> {
  requireRight(ctx, 'member:read');
  if (ctx.actor.kind !== 'user') throw conflict('Only a signed-in member can leave: sign in');
  await endMembership(ctx, await getMember(ctx, 'me'), 'member.leave');
}

async function endMembership(
  ctx: Context,
  member: OrganizationMember,
  action: 'member.remove' | 'member.leave',
): Promise<void> {
  await audited(
    ctx,
    async (ctx) => {
      const change = await ctx.stores.members.remove(ctx.organization.id, member.userId);
      if (change === 'unknown') throw memberNotFound(ctx, member.userId);
      if (change === 'last_owner') throw lastOwner();
    },
    () => ({
      action,
      target: { kind: 'member', id: member.id, name: member.email },
      data: { role: member.role },
    }),
  );
}

/** Throws Forbidden unless whoever asks may manage members, and this one is not above them. */
export function requireManageable(ctx: Context, member: { name: string; role: Role }): void {
  requireRight(ctx, 'member:admin');
  if (rolesWithin(ctx).includes(member.role)) return;
  throw forbidden(`${member.name} has the role ${member.role}: only someone with that role can do this`);
}

/** The named role. Throws Invalid for what is none, Forbidden for one above that of whoever asks. */
export function checkGivenRole(ctx: Context, name: string): Role {
  const role = ROLES.find((each) => each === name);
  if (!role)
    throw invalid(`"${name.slice(0, 40)}" is not a valid role: choose one of ${ROLES.join(', ')}`, 'role');
  if (rolesWithin(ctx).includes(role)) return role;
  throw forbidden(`You cannot assign the role ${role}: your own role is lower`);
}
