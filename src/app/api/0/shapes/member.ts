import { z } from 'zod';
import {
  always,
  EMPTY_OBJECT,
  each,
  FALSE,
  idOf,
  isoMs,
  isoMsOrNull,
  NO_TEXT,
  NULL,
  shapeOf,
  TRUE,
} from '#app/api/0/shape.ts';
import { NO_AVATAR, ROLE } from '#app/api/0/shapes/parts.ts';
import { ROLE_LISTS, roleName } from '#app/api/0/shapes/role.ts';
import type { Invitation } from '#product/invitations/invitation-store.ts';
import type { OrganizationMember } from '#product/members/member-store.ts';
import type { Team } from '#product/teams/team-store.ts';

const TEXT = z.string();

/** Nothing that sets them exists here. */
const FLAGS = [
  'idp:provisioned',
  'idp:role-restricted',
  'sso:linked',
  'sso:invalid',
  'member-limit:restricted',
  'partnership:restricted',
] as const;

type Invited = Pick<OrganizationMember, 'id' | 'email' | 'name' | 'role' | 'teamIds'> & {
  addedAt: number;
  pending: boolean;
  expired: boolean;
};

/** What members and invitations have in common. */
const [, , INVITED_FIELDS] = shapeOf<Invited, [teams: readonly Team[]]>()({
  id: idOf('id'),
  ...each(TEXT, 'email', 'name'),
  // Two of them are older names of the first.
  ...each([ROLE, 'role'], 'orgRole', 'role'),
  roleName: [TEXT, ({ role }) => roleName(role)],
  teams: [z.array(TEXT), ({ teamIds }, teams) => slugsOf(teamIds, teams)],
  teamRoles: [
    z.array(z.object({ teamSlug: TEXT, role: z.null() })),
    ({ teamIds }, teams) => slugsOf(teamIds, teams).map((teamSlug) => ({ teamSlug, role: null })),
  ],
  ...each(z.boolean(), 'pending', 'expired'),
  flags: [
    z.object(each(z.boolean(), ...FLAGS)),
    () => Object.fromEntries(FLAGS.map((flag) => [flag, false])) as Record<(typeof FLAGS)[number], boolean>,
  ],
  dateCreated: isoMs('addedAt'),
  inviteStatus: always(TEXT, 'approved'),
});

const slugsOf = (teamIds: readonly number[], teams: readonly Team[]) =>
  teams.filter(({ id }) => teamIds.includes(id)).map(({ slug }) => slug);

/** Nobody yet: only a mail address. */
export const [INVITATION, writeInvitation] = shapeOf<
  Invited & Pick<Invitation, 'invitedBy'>,
  [teams: readonly Team[]]
>()(
  {
    ...INVITED_FIELDS,
    inviterName: [TEXT.nullable(), ({ invitedBy }) => invitedBy?.name ?? null],
    user: NULL,
  },
  'Invitation',
);

/** Someone invited who has not joined: a pending member, as Sentry has it. */
export const serializeInvitation = (invitation: Invitation, teams: readonly Team[], nowMs: number) => {
  const { email, createdAt, expiresAt } = invitation;
  const state = { addedAt: createdAt, pending: true, expired: expiresAt <= nowMs };
  return writeInvitation({ ...invitation, name: email, ...state }, teams);
};

/** As its creator gets it: with its link, this once. */
export const MADE_INVITATION = INVITATION.extend({ invite_link: z.string(), mailSent: z.boolean() }).meta({
  id: 'MadeInvitation',
});

const [MEMBER_USER, serializeMemberUser] = shapeOf<OrganizationMember>()(
  {
    id: [TEXT, 'userId'],
    name: TEXT,
    username: [TEXT, 'email'],
    email: TEXT,
    avatar: NO_AVATAR,
    avatarUrl: NO_TEXT,
    isActive: TRUE,
    ...each(FALSE, 'isManaged', 'isStaff', 'isSuperuser'),
    has2fa: [z.boolean(), 'hasTwoFactor'],
    dateJoined: isoMs('joinedAt'),
    ...each(isoMsOrNull('lastSeenAt'), 'lastActive', 'lastLogin'),
    experiments: EMPTY_OBJECT,
    emails: [
      z.array(z.object({ id: TEXT, email: TEXT, is_verified: z.boolean() })),
      ({ userId, email }) => [{ id: userId, email, is_verified: true }],
    ],
  },
  'MemberUser',
);

export const [MEMBER, writeMember] = shapeOf<
  Invited & { member: OrganizationMember },
  [teams: readonly Team[]]
>()(
  {
    ...INVITED_FIELDS,
    inviterName: NULL,
    user: [MEMBER_USER, ({ member }) => serializeMemberUser(member)],
  },
  'Member',
);

/** Source of the fields: https://docs.sentry.io/api/organizations/list-an-organizations-members/ */
export const serializeMember = (member: OrganizationMember, teams: readonly Team[]) =>
  writeMember({ ...member, member, addedAt: member.joinedAt, pending: false, expired: false }, teams);

/** Additional fields of a single member: which roles the caller may assign. */
const ROLES_TO_GIVE = {
  isOnlyOwner: z.boolean(),
  ...ROLE_LISTS.shape,
};

/** Only the answer that invites has the `invite_link`. */
export const MEMBER_DETAIL = z.union([
  MEMBER.extend({ invite_link: z.null(), ...ROLES_TO_GIVE }).meta({ id: 'MemberDetail' }),
  INVITATION.extend({ invite_link: z.string().nullable(), ...ROLES_TO_GIVE }).meta({
    id: 'InvitationDetail',
  }),
]);

export const TEAM_MEMBER = MEMBER.extend({ teamRole: z.null(), teamSlug: z.string() }).meta({
  id: 'TeamMember',
});
