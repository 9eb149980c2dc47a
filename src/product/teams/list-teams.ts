import type { Context } from '#product/context.ts';
import { hasRight, requireRight } from '#product/permissions.ts';
import { visibleProjectIds } from '#product/visible-projects.ts';
import type { Team } from '#storage/ports/teams.ts';

/**
 * Every team of the organization, by slug, with those of its projects that the actor sees. Whoever reads issues may know
 * whom they can belong to.
 */
export async function listTeams(ctx: Context): Promise<readonly Team[]> {
  if (!hasRight(ctx.actor, 'event:read')) requireRight(ctx, 'team:read');
  const [teams, seen] = await Promise.all([
    ctx.stores.teams.list(ctx.organization.id),
    visibleProjectIds(ctx),
  ]);
  if (seen === null) return teams;
  return teams.map((team) => ({ ...team, projectIds: team.projectIds.filter((id) => seen.includes(id)) }));
}
