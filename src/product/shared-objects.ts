import type { Context } from './context.ts';
import { hasRight, requireOneOf } from './permissions.ts';

/**
 * Any of them is enough to change what every project of the organization may use: destinations, repositories, trackers.
 * The right to change projects is not: whoever does not see a project must not change what it uses.
 */
export const SHARED_OBJECT_RIGHTS = ['org:integrations', 'org:write', 'org:admin'] as const;

/** Throws Forbidden. */
export const requireSharedObjectWrite = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, SHARED_OBJECT_RIGHTS);

/** For showing what is possible; the verbs decide. */
export const mayChangeSharedObjects = ({ actor }: Pick<Context, 'actor'>): boolean =>
  SHARED_OBJECT_RIGHTS.some((right) => hasRight(actor, right));
