import type { Context } from '#product/context.ts';

/** Who a change is told to be of; null for the system. */
export const actorId = ({ actor }: Pick<Context, 'actor'>): string | null =>
  actor.kind === 'user' || actor.kind === 'token' ? actor.userId : null;
