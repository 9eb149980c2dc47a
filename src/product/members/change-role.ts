import { conflict } from '#lib/errors.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { OrganizationMember } from '#storage/ports/members.ts';
import { getMember, memberNotFound } from './get-member.ts';
import { checkGivenRole, requireManageable } from './may-manage.ts';

/**
 * Gives a member another role, at once. Throws Forbidden for a member or a role above whoever asks, Conflict for the last
 * owner, NotFound.
 */
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
  conflict('An organization needs an owner, and this is the last one: make somebody else owner first');
