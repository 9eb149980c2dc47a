import { z } from 'zod';
import { AVATAR, ROLE } from './parts.ts';
import { ROLE_DETAIL } from './role-detail.ts';

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
