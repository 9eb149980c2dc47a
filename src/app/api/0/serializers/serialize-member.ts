import type { Role } from '#domain/people.ts';
import type { Invitation } from '#product/invitations/invitation-store.ts';
import type { OrganizationMember } from '#product/members/member-store.ts';
import type { Team } from '#product/teams/team-store.ts';
import { AVATAR } from './serialize-access.ts';

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
      avatar: AVATAR,
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
