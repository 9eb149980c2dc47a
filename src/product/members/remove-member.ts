import { conflict } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { OrganizationMember } from '#storage/ports/members.ts';
import { lastOwner } from './change-role.ts';
import { getMember, memberNotFound } from './get-member.ts';
import { requireManageable } from './may-manage.ts';

/**
 * Takes somebody out of the organization: their tokens and connected programs of it end, their issues belong to nobody; what they said and did
 * stays. Throws Forbidden for a member above whoever asks, Conflict for the last owner and for oneself, NotFound.
 */
export async function removeMember(ctx: Context, input: { member: string }): Promise<void> {
  requireRight(ctx, 'member:admin');
  const member = await getMember(ctx, input.member);
  requireManageable(ctx, member);
  if (member.userId === userIdOf(ctx)) {
    throw conflict('This is yourself: use "Leave the organization" instead');
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
