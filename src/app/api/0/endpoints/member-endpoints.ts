import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE, WORDS } from '#app/api/0/parameters.ts';
import { readJsonBody } from '#app/api/0/read-json-body.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { INVITATION, MADE_INVITATION, MEMBER, MEMBER_DETAIL } from '#app/api/0/schemas/member.ts';
import { serializeInvitation, serializeMember } from '#app/api/0/serializers/serialize-member.ts';
import { serializeRoles } from '#app/api/0/serializers/serialize-roles.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { Invitation } from '#product/invitations/invitation-store.ts';
import {
  inviteMember,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  type SentInvitation,
} from '#product/invitations/invitations.ts';
import {
  changeRole,
  getMember,
  leaveOrganization,
  listMembers,
  removeMember,
} from '#product/members/members.ts';
import { getServices } from '#product/services.ts';
import { readOffset, writeOffset } from './offset-cursor.ts';
import type { OrganizationParams } from './organization-endpoints.ts';

type MemberParams = OrganizationParams & { member: string };

const NEW_MEMBER = z.object({
  email: z.string().max(1_000),
  orgRole: z.string().max(40).optional(),
  role: z.string().max(40).optional(),
  teams: z.array(z.string().max(80)).max(200).optional(),
  teamRoles: z
    .array(z.object({ teamSlug: z.string().max(80) }))
    .max(200)
    .optional(),
});

const MEMBER_CHANGE = z.object({
  orgRole: z.string().max(40).optional(),
  role: z.string().max(40).optional(),
  reinvite: z.boolean().optional(),
});

const LIST_MEMBERS = {
  summary: 'Lists members, then pending invitations',
  scopes: ['member:read'],
  query: { ...PAGE, ...WORDS },
  answer: z.array(z.union([MEMBER, INVITATION])),
  isPaged: true,
} satisfies Operation;

/** Members, then pending invitations. Source: https://docs.sentry.io/api/organizations/list-an-organizations-members/ */
export const listMembersEndpoint = declare<OrganizationParams>(
  LIST_MEMBERS,
  async ({ caller, params, url }) => {
    const ctx = contextOf(caller, params.org);
    const limit = readLimit(url);
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const from = readOffset(cursor);
      const [members, invitations, teams] = await Promise.all([
        listMembers(ctx),
        listInvitations(ctx),
        ctx.stores.teams.list(ctx.organization.id),
      ]);
      const rows = [
        ...members.map((member) => serializeMember(member, teams)),
        ...invitations.map((invitation) => serializeInvitation(invitation, teams, ctx.now())),
      ];
      const query = (url.searchParams.get('query') ?? '').toLowerCase();
      const found = rows.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(query));
      const next = from + limit;
      return { rows: found.slice(from, next), nextCursor: next < found.length ? writeOffset(next) : null };
    });
  },
);

const INVITE_MEMBER = {
  summary: 'Invites somebody',
  scopes: ['member:invite'],
  body: NEW_MEMBER,
  answer: MADE_INVITATION,
  status: 201,
} satisfies Operation;

/**
 * Invites; `invite_link` is answered this once, for callers that hand it over themselves.
 * Source: https://docs.sentry.io/api/organizations/add-a-member-to-an-organization/
 */
export const inviteMemberEndpoint = declare<OrganizationParams>(
  INVITE_MEMBER,
  async ({ caller, params, request }) => {
    const ctx = contextOf(caller, params.org);
    const body = await readJsonBody(request, NEW_MEMBER);
    const sent = await inviteMember(ctx, getServices().mailer, {
      email: body.email,
      role: body.orgRole ?? body.role ?? 'member',
      teams: body.teamRoles?.map(({ teamSlug }) => teamSlug) ?? body.teams ?? [],
    });
    return { body: await serializeSent(ctx, sent), status: 201 };
  },
);

const GET_MEMBER = {
  summary: 'Answers a member or an invitation',
  scopes: ['member:read'],
  answer: MEMBER_DETAIL,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/organizations/retrieve-an-organization-member/ */
export const getMemberEndpoint = declare<MemberParams>(GET_MEMBER, async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  return { body: await serializeEither(ctx, params.member) };
});

const UPDATE_MEMBER = {
  summary: 'Changes the role of a member, or sends an invitation again',
  scopes: ['member:admin', 'member:invite'],
  body: MEMBER_CHANGE,
  answer: z.union([MADE_INVITATION, MEMBER_DETAIL]),
} satisfies Operation;

/** Another role, or with `reinvite` the mail again. Source: https://docs.sentry.io/api/organizations/update-an-organization-members-roles/ */
export const updateMemberEndpoint = declare<MemberParams>(
  UPDATE_MEMBER,
  async ({ caller, params, request }) => {
    const ctx = contextOf(caller, params.org);
    const { orgRole, role, reinvite } = await readJsonBody(request, MEMBER_CHANGE);
    const invitation = await findInvitation(ctx, params.member);
    if (invitation) {
      if (!reinvite) throw invalid('An invitation can only be sent again: give "reinvite": true', 'reinvite');
      const sent = await resendInvitation(ctx, getServices().mailer, { invitationId: invitation.id });
      return { body: await serializeSent(ctx, sent) };
    }
    const given = orgRole ?? role;
    if (given === undefined) throw invalid('Give the role as "orgRole"', 'orgRole');
    await changeRole(ctx, { member: params.member, role: given });
    return { body: await serializeEither(ctx, params.member) };
  },
);

const REMOVE_MEMBER = {
  summary: 'Removes a member, or revokes an invitation',
  scopes: ['member:admin', 'member:invite'],
  answer: null,
} satisfies Operation;

/** `me` leaves. Source: https://docs.sentry.io/api/organizations/delete-an-organization-member/ */
export const removeMemberEndpoint = declare<MemberParams>(REMOVE_MEMBER, async ({ caller, params }) => {
  const ctx = contextOf(caller, params.org);
  const invitation = await findInvitation(ctx, params.member);
  if (invitation) await revokeInvitation(ctx, { invitationId: invitation.id });
  else if (params.member === 'me') await leaveOrganization(ctx);
  else await removeMember(ctx, { member: params.member });
  return { body: null, status: 204 };
});

async function findInvitation(ctx: Context, name: string): Promise<Invitation | null> {
  return (await listInvitations(ctx)).find(({ id }) => String(id) === name) ?? null;
}

async function serializeEither(ctx: Context, name: string) {
  const [invitation, teams] = await Promise.all([
    findInvitation(ctx, name),
    ctx.stores.teams.list(ctx.organization.id),
  ]);
  const roles = serializeRoles(ctx);
  if (invitation) {
    const pending = serializeInvitation(invitation, teams, ctx.now());
    return { ...pending, invite_link: null, isOnlyOwner: false, ...roles };
  }
  const member = await getMember(ctx, name);
  const owners = (await listMembers(ctx)).filter(({ role }) => role === 'owner');
  const isOnlyOwner = member.role === 'owner' && owners.length === 1;
  return { ...serializeMember(member, teams), invite_link: null, isOnlyOwner, ...roles };
}

async function serializeSent(ctx: Context, { invitation, url, mail }: SentInvitation) {
  const teams = await ctx.stores.teams.list(ctx.organization.id);
  return {
    ...serializeInvitation(invitation, teams, ctx.now()),
    invite_link: url,
    mailSent: mail.kind === 'sent',
  };
}
