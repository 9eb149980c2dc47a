import { z } from 'zod';
import { flag, text } from './primitives.ts';

export const avatar = z.looseObject({
  avatarType: text.optional(),
  avatarUuid: text.nullable().optional(),
  avatarUrl: text.nullable().optional(),
});

export const organization = z.looseObject({
  features: z.array(text).optional(),
  access: z.array(text).optional(),
  id: text,
  slug: text,
  status: z.looseObject({ id: text, name: text }),
  name: text,
  dateCreated: text,
  isEarlyAdopter: flag,
  require2FA: flag,
  avatar: avatar,
  links: z.looseObject({ organizationUrl: text, regionUrl: text }),
  hasAuthProvider: flag,
  allowMemberInvite: flag,
  allowMemberProjectCreation: flag,
  allowSuperuserAccess: flag,
});

export const organizationRole = z.looseObject({
  id: text,
  name: text,
  desc: text,
  scopes: z.array(text),
  allowed: flag,
  isAllowed: flag,
  isRetired: flag,
  isTeamRolesAllowed: flag,
  is_global: flag,
  isGlobal: flag,
  minimumTeamRole: text,
});

export const teamRole = z.looseObject({
  id: text,
  name: text,
  desc: text,
  scopes: z.array(text),
  allowed: flag,
  isAllowed: flag,
  isRetired: flag,
  isTeamRolesAllowed: flag,
  isMinimumRoleFor: text.nullable(),
});
