import { z } from 'zod';
import { ROLES } from '#domain/people.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { LEVELS } from '#protocol/event.ts';
import { SCOPES, type Scope } from '#protocol/scopes.ts';

/** What many answers have in common. */
export const SCOPE = z.enum(SCOPES);
export const LEVEL = z.enum(LEVELS);
export const ROLE = z.enum(ROLES);
export const EVENT_TYPE = z.enum(['error', 'default', 'csp', 'hpkp', 'expectct', 'expectstaple', 'nel']);
export const TAG = z.object({ key: z.string(), value: z.string() });

/** A project, team or environment that is named in passing. */
export const SLUGGED = z.object({ id: z.string(), slug: z.string(), name: z.string() });

/** A person, provider or state that is named in passing. */
export const NAMED = z.object({ id: z.string(), name: z.string() });

/** Nobody has a picture of their own. */
export const AVATAR = z.object({ avatarType: z.string(), avatarUuid: z.null(), avatarUrl: z.null() });

/** What whoever asks may do, as Sentry writes it on organizations, projects and teams. */
export const serializeAccess = ({ actor }: Pick<Context, 'actor'>): Scope[] =>
  SCOPES.filter((scope) => hasRight(actor, scope));

/** There are no pictures to upload here. */
export const NO_AVATAR = { avatarType: 'letter_avatar', avatarUuid: null, avatarUrl: null } as const;
