import type { Mailer, MailResult } from '#delivery/ports/mailer.ts';
import { conflict, invalid, notFound } from '#lib/errors.ts';
import { createOneTimeSecret, hashSecret } from '#lib/one-time-secret.ts';
import { createThrottle } from '#lib/throttle.ts';
import { DAY_MS } from '#lib/time.ts';
import { checkEmail } from '#product/accounts/check-email.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { checkGivenRole } from '#product/members/members.ts';
import { composeMail } from '#product/messages/compose-mail.ts';
import { requireRight } from '#product/permissions.ts';
import { getTeam } from '#product/teams/teams.ts';
import type { Invitation } from './invitation-store.ts';

/** Who was asked and has not joined yet, newest first, expired ones included. */
export async function listInvitations(ctx: Context): Promise<readonly Invitation[]> {
  requireRight(ctx, 'member:read');
  return ctx.stores.invitations.list(ctx.organization.id);
}

/** How long the address of an invitation opens. */
export const INVITATION_MS = 7 * DAY_MS;
/** Invitations that wait at once. */
const INVITATIONS_MAX = 500;
const TEAMS_MAX = 50;

export type SentInvitation = {
  invitation: Invitation;
  /** Shown once: only its hash is kept. */
  url: string;
  mail: MailResult;
};

/** Invites by mail or link, replacing an earlier invitation. Throws Invalid, Forbidden, Conflict, NotFound. */
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
    throw conflict(`${email} is already a member`, 'email');
  }
  if (invitations.length >= INVITATIONS_MAX && !invitations.some((each) => each.email === email)) {
    throw invalid(`${INVITATIONS_MAX} invitations are already pending: revoke some first`, 'email');
  }
}

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
    const reason = 'The organization has sent 200 invitations within the last hour';
    return { kind: 'not_sent', reason, isFinal: false };
  }
  const inviter = invitation.invitedBy?.name || 'Someone';
  const organization = ctx.organization.name;
  return mailer.send(
    composeMail({
      to: invitation.email,
      subject: `${inviter} invited you to ${organization} on Errata`,
      heading: `Join ${organization} on Errata`,
      paragraphs: [
        `${inviter} invited you to join ${organization} as ${invitation.role}. Errata collects errors from your apps and shows what broke, when it started, who is affected, and which line is to blame.`,
      ],
      button: { label: 'View invitation', url },
      footnote: `The link works once, within ${DAYS} days. If you do not know ${inviter}, ignore this email.`,
    }),
  );
}

/** Throws NotFound, also for invitations of other organizations. */
export async function getInvitation(ctx: Context, id: number): Promise<Invitation> {
  const invitation = (await listInvitations(ctx)).find((each) => each.id === id);
  if (!invitation) throw invitationNotFound(ctx);
  return invitation;
}

export const invitationNotFound = (ctx: Context) =>
  notFound(`${ctx.organization.slug} has no such invitation: it was accepted or revoked, reload the list`);

/** A new address of an invitation, and what is kept of it. */
export function newInvitationToken(
  publicUrl: string,
  nowMs: number,
): { url: string; tokenHash: Uint8Array; expiresAt: number } {
  const token = createOneTimeSecret();
  return {
    url: `${publicUrl}/invite/${token}`,
    tokenHash: hashSecret(token),
    expiresAt: nowMs + INVITATION_MS,
  };
}
