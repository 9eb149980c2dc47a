import { z } from 'zod';
import { AVATAR, NO_AVATAR, ROLE } from '#app/api/0/shapes/parts.ts';
import { ROLE_DETAIL } from '#app/api/0/shapes/role.ts';
import type { Role } from '#domain/people.ts';
import type { Invitation } from '#product/invitations/invitation-store.ts';
import type { OrganizationMember } from '#product/members/member-store.ts';
import type { Team } from '#product/teams/team-store.ts';

const INVITED = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  orgRole: ROLE,
  role: ROLE,
  roleName: z.string(),
  teams: z.array(z.string()),
  teamRoles: z.array(z.object({ teamSlug: z.string(), role: z.null() })),
  pending: z.boolean(),
  expired: z.boolean(),
  flags: z.object({
    'idp:provisioned': z.boolean(),
    'idp:role-restricted': z.boolean(),
    'sso:linked': z.boolean(),
    'sso:invalid': z.boolean(),
    'member-limit:restricted': z.boolean(),
    'partnership:restricted': z.boolean(),
  }),
  dateCreated: z.string(),
  inviteStatus: z.string(),
});

/** Nobody yet: only a mail address. */
export const INVITATION = INVITED.extend({ inviterName: z.string().nullable(), user: z.null() }).meta({
  id: 'Invitation',
});

/** As answered to who made it: its link is told this once. */
export const MADE_INVITATION = INVITATION.extend({ invite_link: z.string(), mailSent: z.boolean() }).meta({
  id: 'MadeInvitation',
});

const MEMBER_USER = z
  .object({
    id: z.string(),
    name: z.string(),
    username: z.string(),
    email: z.string(),
    avatar: AVATAR,
    avatarUrl: z.string(),
    isActive: z.boolean(),
    isManaged: z.boolean(),
    isStaff: z.boolean(),
    isSuperuser: z.boolean(),
    has2fa: z.boolean(),
    dateJoined: z.string(),
    lastActive: z.string().nullable(),
    lastLogin: z.string().nullable(),
    experiments: z.object({}),
    emails: z.array(z.object({ id: z.string(), email: z.string(), is_verified: z.boolean() })),
  })
  .meta({ id: 'MemberUser' });

export const MEMBER = INVITED.extend({ inviterName: z.null(), user: MEMBER_USER }).meta({ id: 'Member' });

/** What one of them by itself has besides: which roles whoever asks may give. */
const ROLES_TO_GIVE = {
  isOnlyOwner: z.boolean(),
  orgRoleList: z.array(ROLE_DETAIL),
  teamRoleList: z.array(z.unknown()),
};

/** `invite_link` is told to whoever invites, once. */
export const MEMBER_DETAIL = z.union([
  MEMBER.extend({ invite_link: z.null(), ...ROLES_TO_GIVE }).meta({ id: 'MemberDetail' }),
  INVITATION.extend({ invite_link: z.string().nullable(), ...ROLES_TO_GIVE }).meta({
    id: 'InvitationDetail',
  }),
]);

export const TEAM_MEMBER = MEMBER.extend({ teamRole: z.null(), teamSlug: z.string() }).meta({
  id: 'TeamMember',
});

/** Source of the fields: https://docs.sentry.io/api/organizations/list-an-organizations-members/ */
export function serializeMember(member: OrganizationMember, teams: readonly Team[]) {
  const { id, userId, email, name, role } = member;
  const seen = member.lastSeenAt === null ? null : new Date(member.lastSeenAt).toISOString();
  return {
    id: String(id),
    email,
    name,
    user: {
      id: userId,
      name,
      username: email,
      email,
      avatar: NO_AVATAR,
      avatarUrl: '',
      isActive: true,
      isManaged: false,
      isStaff: false,
      isSuperuser: false,
      has2fa: member.hasTwoFactor,
      dateJoined: new Date(member.joinedAt).toISOString(),
      lastActive: seen,
      lastLogin: seen,
      experiments: {},
      emails: [{ id: userId, email, is_verified: true }],
    },
    ...roleFields(role),
    pending: false,
    expired: false,
    flags: FLAGS,
    dateCreated: new Date(member.joinedAt).toISOString(),
    inviteStatus: 'approved',
    inviterName: null,
    ...teamFields(member.teamIds, teams),
  };
}

/** Somebody who was asked and has not joined: a pending member, as Sentry has it. */
export function serializeInvitation(invitation: Invitation, teams: readonly Team[], nowMs: number) {
  const { id, email, role, invitedBy } = invitation;
  return {
    id: String(id),
    email,
    name: email,
    user: null,
    ...roleFields(role),
    pending: true,
    expired: invitation.expiresAt <= nowMs,
    flags: FLAGS,
    dateCreated: new Date(invitation.createdAt).toISOString(),
    inviteStatus: 'approved',
    inviterName: invitedBy?.name ?? null,
    ...teamFields(invitation.teamIds, teams),
  };
}

/** Two of them are older names of the first. */
const roleFields = (role: Role) => ({
  orgRole: role,
  role,
  roleName: `${role.slice(0, 1).toUpperCase()}${role.slice(1)}`,
});

/** Nothing that sets them exists here. */
const FLAGS = {
  'idp:provisioned': false,
  'idp:role-restricted': false,
  'sso:linked': false,
  'sso:invalid': false,
  'member-limit:restricted': false,
  'partnership:restricted': false,
} as const;

function teamFields(teamIds: readonly number[], teams: readonly Team[]) {
  const slugs = teams.filter(({ id }) => teamIds.includes(id)).map(({ slug }) => slug);
  return { teams: slugs, teamRoles: slugs.map((teamSlug) => ({ teamSlug, role: null })) };
}
