import type { Mailer, MailResult } from '#delivery/ports/mailer.ts';
import { conflict, invalid } from '#lib/errors.ts';
import { checkEmail } from '#product/accounts/check-email.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkGivenRole } from '#product/members/may-manage.ts';
import { requireRight } from '#product/permissions.ts';
import { getTeam } from '#product/teams/teams.ts';
import type { Invitation } from '#storage/ports/invitations.ts';
import { newInvitationToken } from './invitation-token.ts';
import { mailInvitation } from './mail-invitation.ts';

/** Invitations that wait at once. */
const INVITATIONS_MAX = 500;
const TEAMS_MAX = 50;

export type SentInvitation = {
  invitation: Invitation;
  /** Shown once: only its hash is kept. */
  url: string;
  mail: MailResult;
};

/**
 * Asks somebody to join, by mail where mail works; the address is answered either way. An earlier invitation to the same
 * address is replaced. `teams` are slugs. Throws Invalid naming the field, Forbidden for a role above one's own, Conflict
 * for a member, NotFound for a team.
 */
export async function inviteMember(
  ctx: Context,
  mailer: Mailer,
  input: { email: string; role: string; teams: readonly string[] },
): Promise<SentInvitation> {
  requireRight(ctx, 'member:invite');
  const email = checkEmail(input.email);
  const role = checkGivenRole(ctx, input.role);
  if (input.teams.length > TEAMS_MAX) throw invalid(`Choose at most ${TEAMS_MAX} teams`, 'teams');
  const teams = await Promise.all(input.teams.map((team) => getTeam(ctx, team)));
  await requireRoom(ctx, email);
  const createdAt = ctx.now();
  const { url, tokenHash, expiresAt } = newInvitationToken(ctx.publicUrl, createdAt);
  const invitation = await audited(
    ctx,
    (ctx) =>
      ctx.stores.invitations.put({
        organizationId: ctx.organization.id,
        email,
        role,
        teamIds: teams.map(({ id }) => id),
        tokenHash,
        invitedBy: userIdOf(ctx),
        createdAt,
        expiresAt,
      }),
    ({ id }) => ({
      action: 'member.invite',
      target: { kind: 'invitation', id, name: email },
      data: { role, teams: teams.map(({ slug }) => slug) },
    }),
  );
  return { invitation, url, mail: await mailInvitation(ctx, mailer, invitation, url) };
}

async function requireRoom(ctx: Context, email: string): Promise<void> {
  const [members, invitations] = await Promise.all([
    ctx.stores.members.list(ctx.organization.id),
    ctx.stores.invitations.list(ctx.organization.id),
  ]);
  if (members.some((member) => member.email.toLowerCase() === email)) {
    throw conflict(`${email} is a member already`, 'email');
  }
  if (invitations.length >= INVITATIONS_MAX && !invitations.some((each) => each.email === email)) {
    throw invalid(`${INVITATIONS_MAX} invitations wait already: revoke some first`, 'email');
  }
}
