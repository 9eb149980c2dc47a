'use server';

import { revalidatePath } from 'next/cache';
import { redirect } from 'next/navigation';
import { refusalOf } from '#app/[org]/settings/refusal.ts';
import { getRequestContext } from '#app/request-context.ts';
import type { Context } from '#product/context.ts';
import { inviteMember, type SentInvitation } from '#product/invitations/invite-member.ts';
import { resendInvitation } from '#product/invitations/resend-invitation.ts';
import { revokeInvitation } from '#product/invitations/revoke-invitation.ts';
import { changeRole } from '#product/members/change-role.ts';
import { leaveOrganization, removeMember } from '#product/members/remove-member.ts';
import { getServices } from '#product/services.ts';

/** What came of an invitation: its address is shown once. */
export type SentView = {
  email: string;
  url: string;
  /** Why no mail went out; null when one did. */
  notSentReason: string | null;
};

export type InviteState = {
  email: string;
  error: { message: string; field: string | null } | null;
  sent: SentView | null;
};

export async function inviteAction(
  orgSlug: string,
  _previous: InviteState,
  form: FormData,
): Promise<InviteState> {
  const ctx = await getRequestContext(orgSlug);
  const email = String(form.get('email') ?? '').trim();
  const input = {
    email,
    role: String(form.get('role') ?? ''),
    teams: form.getAll('teams').map(String),
  };
  let sent: SentInvitation | null = null;
  const error = await refusalOf(async () => {
    sent = await inviteMember(ctx, getServices().mailer, input);
  });
  if (error || !sent) return { email, error, sent: null };
  revalidate(ctx);
  return { email: '', error: null, sent: viewOf(sent) };
}

export type ResendResult = { problem: string } | { sent: SentView };

export async function resendAction(orgSlug: string, invitationId: number): Promise<ResendResult> {
  const ctx = await getRequestContext(orgSlug);
  let sent: SentInvitation | null = null;
  const refusal = await refusalOf(async () => {
    sent = await resendInvitation(ctx, getServices().mailer, { invitationId });
  });
  revalidate(ctx);
  return sent ? { sent: viewOf(sent) } : { problem: refusal?.message ?? '' };
}

/** Answers what went wrong, or null. */
export async function revokeAction(orgSlug: string, invitationId: number): Promise<string | null> {
  return answering(orgSlug, (ctx) => revokeInvitation(ctx, { invitationId }));
}

/** Answers what went wrong, or null. */
export async function changeRoleAction(
  orgSlug: string,
  input: { member: string; role: string },
): Promise<string | null> {
  return answering(orgSlug, (ctx) => changeRole(ctx, { member: input.member, role: input.role }));
}

/** Answers what went wrong, or null. */
export async function removeMemberAction(orgSlug: string, member: string): Promise<string | null> {
  return answering(orgSlug, (ctx) => removeMember(ctx, { member }));
}

/** Answers what went wrong; goes to the start otherwise, since the organization is not theirs any more. */
export async function leaveAction(orgSlug: string): Promise<string> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => leaveOrganization(ctx));
  if (refusal) return refusal.message;
  revalidatePath(`/${orgSlug}`, 'layout');
  redirect('/');
}

async function answering(orgSlug: string, act: (ctx: Context) => Promise<unknown>): Promise<string | null> {
  const ctx = await getRequestContext(orgSlug);
  const refusal = await refusalOf(() => act(ctx));
  revalidate(ctx);
  return refusal?.message ?? null;
}

const revalidate = (ctx: Context) => revalidatePath(`/${ctx.organization.slug}/settings/members`);

const viewOf = ({ invitation, url, mail }: SentInvitation): SentView => ({
  email: invitation.email,
  url,
  notSentReason: mail.kind === 'sent' ? null : mail.reason,
});
