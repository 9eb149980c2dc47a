'use server';

import { z } from 'zod';
import { action, answeringAction, answeringFormAction, leaveTo } from '#app/forms/action.ts';
import {
  inviteMember,
  resendInvitation,
  revokeInvitation,
  type SentInvitation,
} from '#product/invitations/invitations.ts';
import { changeRole, leaveOrganization, removeMember } from '#product/members/members.ts';
import { getServices } from '#product/services.ts';
import { INVITE_FIELDS } from './role-labels.ts';

const ID = z.number().int().positive();
const USER_ID = z.string().max(100);

/** What came of an invitation: its link is shown once. */
export type SentView = {
  email: string;
  url: string;
  /** Why no e-mail went out; null when one did. */
  notSentReason: string | null;
};

const viewOf = ({ invitation, url, mail }: SentInvitation): SentView => ({
  email: invitation.email,
  url,
  notSentReason: mail.kind === 'sent' ? null : mail.reason,
});

export const inviteAction = answeringFormAction({
  fields: INVITE_FIELDS,
  place: z.null(),
  save: async (ctx, input) => viewOf(await inviteMember(ctx, getServices().mailer, input)),
});

export const resendAction = answeringAction({
  input: ID,
  run: async (ctx, invitationId) =>
    viewOf(await resendInvitation(ctx, getServices().mailer, { invitationId })),
});

export const revokeAction = action({
  input: ID,
  run: (ctx, invitationId) => revokeInvitation(ctx, { invitationId }),
});

export const changeRoleAction = action({
  input: z.strictObject({ member: USER_ID, role: z.string().max(100) }),
  run: changeRole,
});

export const removeMemberAction = action({
  input: USER_ID,
  run: (ctx, member) => removeMember(ctx, { member }),
});

/** Leads to the start page, since the organization is not theirs anymore. */
export const leaveAction = action({
  input: z.null(),
  run: async (ctx) => {
    await leaveOrganization(ctx);
    leaveTo(ctx, '/');
  },
});
