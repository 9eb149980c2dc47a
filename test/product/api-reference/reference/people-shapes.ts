import { z } from 'zod';
import { avatar, organizationRole, teamRole } from './organization-shapes.ts';
import { anything, flag, text } from './primitives.ts';

export const email = z.looseObject({ id: text, email: text, is_verified: flag });

export const user = z.looseObject({
  avatar: avatar.optional(),
  id: text,
  name: text,
  username: text,
  email: text,
  avatarUrl: text,
  isActive: flag,
  hasPasswordAuth: flag,
  isManaged: flag,
  dateJoined: text,
  lastLogin: text.nullable(),
  has2fa: flag,
  lastActive: text.nullable(),
  isSuperuser: flag,
  isStaff: flag,
  experiments: z.record(z.string(), anything),
  emails: z.array(email),
});

export const memberFlags = z.looseObject({
  'idp:provisioned': flag,
  'idp:role-restricted': flag,
  'sso:linked': flag,
  'sso:invalid': flag,
  'member-limit:restricted': flag,
  'partnership:restricted': flag,
});

export const member = z.looseObject({
  id: text,
  email: text,
  name: text,
  user: user.optional(),
  orgRole: text,
  pending: flag,
  expired: flag,
  flags: memberFlags,
  dateCreated: text,
  inviteStatus: text,
  inviterName: text.nullable(),
});

export const memberDetail = z.looseObject({
  role: text.optional(),
  roleName: text.optional(),
  id: text,
  email: text,
  name: text,
  user: user.optional(),
  orgRole: text,
  pending: flag,
  expired: flag,
  flags: memberFlags,
  dateCreated: text,
  inviteStatus: text,
  inviterName: text.nullable(),
  teams: z.array(text),
  teamRoles: z.array(z.looseObject({ teamSlug: text, role: text.nullable() })),
  invite_link: text.nullable(),
  isOnlyOwner: flag,
  orgRoleList: z.array(organizationRole),
  teamRoleList: z.array(teamRole),
});

export const memberOfTeam = z.looseObject({
  role: text.optional(),
  roleName: text.optional(),
  id: text,
  email: text,
  name: text,
  user: user,
  orgRole: text,
  pending: flag,
  expired: flag,
  flags: memberFlags,
  dateCreated: text,
  inviteStatus: text,
  inviterName: text.nullable(),
  teamRole: text.nullable(),
  teamSlug: text,
});
