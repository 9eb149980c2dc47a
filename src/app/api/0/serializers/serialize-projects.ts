import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { serializeProject } from './serialize-project.ts';

/** Projects with the teams that have them, for lists. What may be read, the caller has decided. */
export async function serializeProjects(ctx: Context, projects: readonly Project[]) {
  const teams = await ctx.stores.teams.list(ctx.organization.id);
  return projects.map((project) => serializeProject(ctx, project, teams));
}
