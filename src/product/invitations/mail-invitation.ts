import type { Mailer, MailResult } from '#delivery/ports/mailer.ts';
import { createThrottle } from '#lib/throttle.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { composeMail } from '#product/mail/compose-mail.ts';
import type { Invitation } from '#storage/ports/invitations.ts';
import { INVITATION_MS } from './invitation-token.ts';

const DAYS = INVITATION_MS / DAY_MS;

/** What one organization may send in an hour: nobody's mailbox is to be filled over us. */
const byOrganization = createThrottle({ triesMax: 200, refillMs: 18_000 });

/** The mail that asks somebody to join. */
export async function mailInvitation(
  ctx: Context,
  mailer: Mailer,
  invitation: Invitation,
  url: string,
): Promise<MailResult> {
  if (byOrganization.take(String(ctx.organization.id)) !== null) {
    const reason = 'The organization has sent 200 invitations within an hour';
    return { kind: 'not_sent', reason, isFinal: false };
  }
  const inviter = invitation.invitedBy?.name || 'Somebody';
  const organization = ctx.organization.name;
  return mailer.send(
    composeMail({
      to: invitation.email,
      subject: `${inviter} invites you to ${organization} on Errata`,
      heading: `Join ${organization} on Errata`,
      paragraphs: [
        `${inviter} invites you to ${organization}, as ${invitation.role}. Errata collects the errors of its programs: what broke, since when, for whom, and at which line.`,
      ],
      button: { label: 'See the invitation', url },
      footnote: `The address opens for ${DAYS} days, once. You do not know ${inviter}? Then you need do nothing.`,
    }),
  );
}
