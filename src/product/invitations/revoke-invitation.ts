import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { invitationNotFound } from './get-invitation.ts';

/** Its address opens no more. Throws NotFound. */
export async function revokeInvitation(ctx: Context, input: { invitationId: number }): Promise<void> {
  requireRight(ctx, 'member:invite');
  await audited(
    ctx,
    async (ctx) => {
      const removed = await ctx.stores.invitations.remove(ctx.organization.id, input.invitationId);
      if (!removed) throw invitationNotFound(ctx);
      return removed;
    },
    ({ id, email, role }) => ({
      action: 'invite.remove',
      target: { kind: 'invitation', id, name: email },
      data: { role },
    }),
  );
}
