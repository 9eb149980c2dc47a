import type { Mailer } from '#delivery/ports/mailer.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkGivenRole } from '#product/members/may-manage.ts';
import { requireRight } from '#product/permissions.ts';
import { getInvitation, invitationNotFound } from './get-invitation.ts';
import { newInvitationToken } from './invitation-token.ts';
import type { SentInvitation } from './invite-member.ts';
import { mailInvitation } from './mail-invitation.ts';

/** Sends an invitation again, with a new address and a new week; the earlier address opens no more. Throws NotFound. */
export async function resendInvitation(
  ctx: Context,
  mailer: Mailer,
  input: { invitationId: number },
): Promise<SentInvitation> {
  requireRight(ctx, 'member:invite');
  const { id, role } = await getInvitation(ctx, input.invitationId);
  checkGivenRole(ctx, role);
  const { url, tokenHash, expiresAt } = newInvitationToken(ctx.publicUrl, ctx.now());
  const invitation = await audited(
    ctx,
    async (ctx) => {
      const renewal = { tokenHash, invitedBy: userIdOf(ctx), expiresAt };
      const renewed = await ctx.stores.invitations.renew(ctx.organization.id, id, renewal);
      if (!renewed) throw invitationNotFound(ctx);
      return renewed;
    },
    ({ email }) => ({
      action: 'member.reinvite',
      target: { kind: 'invitation', id, name: email },
      data: { role },
    }),
  );
  return { invitation, url, mail: await mailInvitation(ctx, mailer, invitation, url) };
}
