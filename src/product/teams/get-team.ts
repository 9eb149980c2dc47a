import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#storage/ports/teams.ts';
import { listTeams } from './list-teams.ts';

/** By slug or number. Throws NotFound, also for teams of other organizations. */
export async function getTeam(ctx: Context, slugOrId: string): Promise<Team> {
  const teams = await listTeams(ctx);
  const team = teams.find(({ slug, id }) => slug === slugOrId || String(id) === slugOrId);
  if (team) return team;
  throw notFound(`The organization ${ctx.organization.slug} has no team "${slugOrId.slice(0, 80)}"`);
}
