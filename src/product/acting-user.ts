import { forbidden } from '#lib/errors.ts';
import type { Context } from './context.ts';
import { requireRight } from './permissions.ts';

/** The user id of whoever asks. Throws Forbidden for jobs and the operator, who are nobody in particular. */
export function actingUserId({ actor }: Pick<Context, 'actor'>): string {
  if (actor.kind !== 'system') return actor.userId;
  throw forbidden('Only a signed-in user or a token can do this: sign in');
}

/**
 * The user id of whoever keeps something for themselves, such as a bookmark. Reading is enough for a person; a token
 * writes only with the scope for it. Throws Forbidden.
 */
export function personalUserId(ctx: Pick<Context, 'actor'>): string {
  requireRight(ctx, ctx.actor.kind === 'token' ? 'event:write' : 'event:read');
  return actingUserId(ctx);
}

/** null for jobs and the operator. */
export const userIdOf = ({ actor }: Pick<Context, 'actor'>): string | null =>
  actor.kind === 'system' ? null : actor.userId;
