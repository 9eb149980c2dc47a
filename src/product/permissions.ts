import { ROLES, type Role } from '#domain/people.ts';
import { forbidden } from '#lib/errors.ts';
import { expandScopes, type Scope } from '#protocol/scopes.ts';
import type { Actor, Context } from './context.ts';

/** Throws Forbidden, naming what is missing and who can help, when the actor lacks the right. */
export function requireRight({ actor }: Pick<Context, 'actor'>, right: Scope): void {
  if (hasRight(actor, right) || actor.kind === 'system') return;
  if (actor.kind !== 'organization_token' && !roleHas(actor.role, right)) {
    const enough = ROLES.find((role) => roleHas(role, right)) ?? 'owner';
    throw forbidden(
      `The role "${actor.role}" does not include ${right}: ask someone in the organization with the role "${enough}" or higher`,
    );
  }
  throw forbidden(`This token does not have the scope ${right}: create a token that has it`);
}

/** Throws Forbidden, as `requireRight` does for the first of them, when the actor has none of the rights. */
export function requireOneOf(
  ctx: Pick<Context, 'actor'>,
  [first, ...others]: readonly [Scope, ...Scope[]],
): void {
  if (!others.some((right) => hasRight(ctx.actor, right))) requireRight(ctx, first);
}

/** Whether the actor has the right; a token has what both its scopes and its owner's role allow. */
export function hasRight(actor: Actor, right: Scope): boolean {
  if (actor.kind === 'system') return true;
  if (actor.kind === 'organization_token') return expandScopes(actor.scopes).has(right);
  if (!roleHas(actor.role, right)) return false;
  return actor.kind === 'user' || expandScopes(actor.scopes).has(right);
}

/** The roles that whoever asks may give: none with a right that they lack, so none above their own. */
export function rolesWithin({ actor }: Pick<Context, 'actor'>): readonly Role[] {
  if (actor.kind === 'organization_token') return [];
  return ROLES.filter((_, index) =>
    ROLES.slice(0, index + 1).every((role) => ADDED[role].every((right) => hasRight(actor, right))),
  );
}

/** What each role adds to the one before it. */
const ADDED: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['org:read', 'member:read', 'team:read', 'project:read', 'event:read', 'alerts:read'],
  member: ['event:write', 'project:releases', 'project:distribution', 'org:ci'],
  admin: ['project:write', 'alerts:write'],
  manager: [
    'event:admin',
    'project:admin',
    'team:write',
    'team:admin',
    'member:write',
    'member:admin',
    'member:invite',
    'org:integrations',
    'org:write',
  ],
  owner: ['org:admin'],
};

/** Whether the role has the right, whatever a token's scopes say. */
export function roleHas(role: Role, right: Scope): boolean {
  return ROLES.slice(0, ROLES.indexOf(role) + 1).some((each) => ADDED[each].includes(right));
}

/** What a build has with a token of the organization is enough. Throws Forbidden. */
export const requireReleaseRead = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['project:read', 'project:releases', 'org:ci']);

/** As above, for making and changing releases, their commits and deploys. */
export const requireReleaseWrite = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['project:releases', 'org:ci', 'project:write']);

/** What is deleted is gone from every project: no build needs that. Throws Forbidden. */
export const requireReleaseDelete = (ctx: Pick<Context, 'actor'>): void =>
  requireOneOf(ctx, ['project:releases', 'project:write']);
