import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { Team } from '#storage/ports/teams.ts';
import { checkTeam } from './check-team.ts';
import { getTeam } from './get-team.ts';

/** Throws Invalid, NotFound, and Conflict when the slug is taken. Ownership rules name a team by its slug. */
export async function updateTeam(
  ctx: Context,
  input: { team: string; change: { slug?: string; name?: string } },
): Promise<Team> {
  requireRight(ctx, 'team:write');
  const team = await getTeam(ctx, input.team);
  const change = checkTeam(input.change);
  return audited(
    ctx,
    async (ctx) => (await ctx.stores.teams.update(ctx.organization.id, team.id, change)) ?? team,
    (after) => ({
      action: 'team.edit',
      target: { kind: 'team', id: team.id, name: after.slug },
      data: { from: { slug: team.slug, name: team.name }, to: { slug: after.slug, name: after.name } },
    }),
  );
}
