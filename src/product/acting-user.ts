import { forbidden } from '#lib/errors.ts';
import type { Context } from './context.ts';
import { requireRight } from './permissions.ts';

/** The user id of whoever asks. Throws Forbidden for what is nobody in particular: jobs, tokens of an organization. */
export function actingUserId(ctx: Pick<Context, 'actor'>): string {
  const userId = userIdOf(ctx);
  if (userId !== null) return userId;
  throw forbidden('Only a signed-in user or their personal token can do this: sign in');
}

/** The user id for personal data such as bookmarks; a token needs the scope to write. Throws Forbidden. */
export function personalUserId(ctx: Pick<Context, 'actor'>): string {
  requireRight(ctx, ctx.actor.kind === 'token' ? 'event:write' : 'event:read');
  return actingUserId(ctx);
}

/** null for jobs, the operator and tokens of an organization. */
export const userIdOf = ({ actor }: Pick<Context, 'actor'>): string | null =>
  actor.kind === 'user' || actor.kind === 'token' ? actor.userId : null;

/** Whether the actor may see and decide what concerns the whole instance, all organizations of it. */
export const isInstanceOwner = ({ actor }: Pick<Context, 'actor'>): boolean =>
  actor.kind === 'system' || ((actor.kind === 'user' || actor.kind === 'token') && actor.isInstanceOwner);

/** Throws Forbidden for everybody but the instance's owner, and for tokens without `org:admin`. */
export function requireInstanceOwner(ctx: Pick<Context, 'actor'>): void {
  if (!isInstanceOwner(ctx)) {
    throw forbidden('Storage settings apply to the entire instance: ask its owner, who set it up');
  }
  requireRight(ctx, 'org:admin');
}
