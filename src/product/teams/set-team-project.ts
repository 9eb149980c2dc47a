import { audited } from '#product/audit/audited.ts';
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
  await audited(
    ctx,
    (ctx) => ctx.stores.teams.setProject(ctx.organization.id, team.id, project.id, input.isOwned),
    () =>
      team.projectIds.includes(project.id) === input.isOwned
        ? null
        : {
            action: input.isOwned ? 'project-team.add' : 'project-team.remove',
            target: { kind: 'team', id: team.id, name: team.slug },
            data: { project: project.slug },
          },
  );
}
