import type { Context } from './context.ts';
import { requireOneOf } from './permissions.ts';

/** What a build has with a token of the organization is enough. Throws Forbidden. */
export const requireReleaseRead = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['project:read', 'project:releases', 'org:ci']);

/** As above, for making and changing releases, their commits and deploys. */
export const requireReleaseWrite = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['project:releases', 'org:ci', 'project:write']);

/** What is deleted is gone from every project: no build needs that. Throws Forbidden. */
export const requireReleaseDelete = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['project:releases', 'project:write']);
