import { forbidden } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';

/** Whether the actor may see and decide what concerns the whole instance, all organizations of it. */
export const isInstanceOwner = ({ actor }: Pick<Context, 'actor'>): boolean =>
  actor.kind === 'system' || ((actor.kind === 'user' || actor.kind === 'token') && actor.isInstanceOwner);

/** Throws Forbidden for everybody but the instance's owner, and for tokens without `org:admin`. */
export function requireInstanceOwner(ctx: Pick<Context, 'actor'>): void {
  if (!isInstanceOwner(ctx)) {
    throw forbidden('Storage belongs to the whole instance: ask its owner, who set it up');
  }
  requireRight(ctx, 'org:admin');
}
