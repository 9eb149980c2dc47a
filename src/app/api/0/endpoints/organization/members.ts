import { z } from 'zod';
import { readOffset, writeOffset } from '#app/api/0/offset-cursor.ts';
import { del, get, type Operation, post, put } from '#app/api/0/operation.ts';
import { PAGE, WORDS } from '#app/api/0/query.ts';
import {
  INVITATION,
  MADE_INVITATION,
  MEMBER,
  MEMBER_DETAIL,
  serializeInvitation,
  serializeMember,
} from '#app/api/0/shapes/member.ts';
import { serializeRoles } from '#app/api/0/shapes/role.ts';
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

export const memberOperations: readonly Operation[] = [
  /** Members, then pending invitations. Source: https://docs.sentry.io/api/organizations/list-an-organizations-members/ */
  get('organizations/[org]/members', {
    summary: 'Lists members, followed by pending invitations',
    scopes: ['member:read'],
    query: { ...PAGE, ...WORDS },
    answer: z.array(z.union([MEMBER, INVITATION])),
    isPaged: true,
    async handle({ ctx, query, page }) {
      const { limit } = query;
      const search = query.search.toLowerCase();
      return page(async (cursor) => {
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
        const found = rows.filter(({ name, email }) => `${name}\n${email}`.toLowerCase().includes(search));
        const next = from + limit;
        return { rows: found.slice(from, next), nextCursor: next < found.length ? writeOffset(next) : null };
      });
    },
  }),

  /**
   * Invites; `invite_link` is answered this once, for callers that hand it over themselves.
   * Source: https://docs.sentry.io/api/organizations/add-a-member-to-an-organization/
   */
  post('organizations/[org]/members', {
    summary: 'Invites a member',
    scopes: ['member:invite'],
    body: NEW_MEMBER,
    answer: MADE_INVITATION,
    status: 201,
    async handle({ ctx, body }) {
      const sent = await inviteMember(ctx, getServices().mailer, {
        email: body.email,
        role: body.orgRole ?? body.role ?? 'member',
        teams: body.teamRoles?.map(({ teamSlug }) => teamSlug) ?? body.teams ?? [],
      });
      return serializeSent(ctx, sent);
    },
  }),

  /** Source: https://docs.sentry.io/api/organizations/retrieve-an-organization-member/ */
  get('organizations/[org]/members/[member]', {
    summary: 'Retrieves a member or an invitation',
    scopes: ['member:read'],
    answer: MEMBER_DETAIL,
    handle: async ({ ctx, params }) => serializeEither(ctx, params.member),
  }),

  /** Another role, or with `reinvite` the mail again. Source: https://docs.sentry.io/api/organizations/update-an-organization-members-roles/ */
  put('organizations/[org]/members/[member]', {
    summary: "Updates a member's role, or resends an invitation",
    scopes: ['member:admin', 'member:invite'],
    body: MEMBER_CHANGE,
    answer: z.union([MADE_INVITATION, MEMBER_DETAIL]),
    async handle({ ctx, params, body }) {
      const { orgRole, role, reinvite } = body;
      const invitation = await findInvitation(ctx, params.member);
      if (invitation) {
        if (!reinvite) throw invalid('An invitation can only be resent: send "reinvite": true', 'reinvite');
        const sent = await resendInvitation(ctx, getServices().mailer, { invitationId: invitation.id });
        return serializeSent(ctx, sent);
      }
      const given = orgRole ?? role;
      if (given === undefined) throw invalid('Specify the role with "orgRole"', 'orgRole');
      await changeRole(ctx, { member: params.member, role: given });
      return serializeEither(ctx, params.member);
    },
  }),

  /** `me` leaves. Source: https://docs.sentry.io/api/organizations/delete-an-organization-member/ */
  del('organizations/[org]/members/[member]', {
    summary: 'Removes a member, or revokes an invitation',
    scopes: ['member:admin', 'member:invite'],
    answer: null,
    async handle({ ctx, params }) {
      const invitation = await findInvitation(ctx, params.member);
      if (invitation) await revokeInvitation(ctx, { invitationId: invitation.id });
      else if (params.member === 'me') await leaveOrganization(ctx);
      else await removeMember(ctx, { member: params.member });
    },
  }),
];

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
