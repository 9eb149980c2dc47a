import type { Context } from './context.ts';
import { hasRight, requireOneOf } from './permissions.ts';

/** Any of these rights suffices to change what all projects share; the right to change projects does not. */
export const SHARED_OBJECT_RIGHTS = ['org:integrations', 'org:write', 'org:admin'] as const;

/** Throws Forbidden. */
export const requireSharedObjectWrite = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, SHARED_OBJECT_RIGHTS);

/** For showing what is possible; the verbs decide. */
export const mayChangeSharedObjects = ({ actor }: Pick<Context, 'actor'>): boolean =>
  SHARED_OBJECT_RIGHTS.some((right) => hasRight(actor, right));
