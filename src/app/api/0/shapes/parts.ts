import { z } from 'zod';
import { always, each, idOf, shapeOf } from '#app/api/0/shape.ts';
import { ROLES } from '#domain/people.ts';
import type { Context } from '#product/context.ts';
import { hasRight } from '#product/permissions.ts';
import { LEVELS, WIRE_EVENT_TYPES } from '#protocol/event.ts';
import { SCOPES, type Scope } from '#protocol/scopes.ts';

/** What many answers have in common. */
export const SCOPE = z.enum(SCOPES);
export const LEVEL = z.enum(LEVELS);
export const ROLE = z.enum(ROLES);
export const EVENT_TYPE = z.enum(WIRE_EVENT_TYPES);
export const TAG = z.object({ key: z.string(), value: z.string() });

/** A project, team or environment that is named in passing. */
export const [SLUGGED, serializeSlugged] = shapeOf<{ id: number; slug: string; name: string }>()({
  id: idOf('id'),
  ...each(z.string(), 'slug', 'name'),
});

/** A person, provider or state that is named in passing. */
export const NAMED = z.object({ id: z.string(), name: z.string() });

/** There are no pictures to upload here. */
export const NO_AVATAR = always(
  z.object({ avatarType: z.string(), avatarUuid: z.null(), avatarUrl: z.null() }),
  { avatarType: 'letter_avatar', avatarUuid: null, avatarUrl: null },
);

/** The caller's scopes, as Sentry has them on organizations, projects and teams. */
export const serializeAccess = ({ actor }: Pick<Context, 'actor'>): Scope[] =>
  SCOPES.filter((scope) => hasRight(actor, scope));
