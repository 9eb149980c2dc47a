import type { Context } from '#product/context.ts';
import { hasRight, requireRight } from '#product/permissions.ts';
import type { Team } from '#storage/ports/teams.ts';

/** Every team of the organization, by slug. Whoever reads issues may know whom they can belong to. */
export async function listTeams(ctx: Context): Promise<readonly Team[]> {
  if (!hasRight(ctx.actor, 'event:read')) requireRight(ctx, 'team:read');
  return ctx.stores.teams.list(ctx.organization.id);
}
