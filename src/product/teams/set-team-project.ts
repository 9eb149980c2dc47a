import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getProject } from '#product/projects/get-project.ts';
import { getTeam } from './get-team.ts';

/** Makes a project one of a team's, or no longer. Throws NotFound. */
export async function setTeamProject(
  ctx: Context,
  input: { team: string; projectSlug: string; isOwned: boolean },
): Promise<void> {
  requireRight(ctx, 'team:write');
  const [team, project] = await Promise.all([getTeam(ctx, input.team), getProject(ctx, input.projectSlug)]);
  await ctx.stores.teams.setProject(ctx.organization.id, team.id, project.id, input.isOwned);
}
