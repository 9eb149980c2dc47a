import { notFound } from '#lib/errors.ts';
import type { EventScope } from '#storage/ports/events.ts';
import type { Project } from '#storage/ports/projects.ts';
import type { Context } from './context.ts';

/** Projects of the organization that the actor may know of, by slug; internal ones are the instance's owner's. */
export async function listVisibleProjects(ctx: Context): Promise<readonly Project[]> {
  const projects = await ctx.stores.projects.listProjects(ctx.organization.id);
  return seesInternal(ctx) ? projects : projects.filter((project) => !project.isInternal);
}

/** The projects with the given slugs, every visible one for none. Throws NotFound for a slug that is not visible. */
export async function selectProjects(
  ctx: Context,
  projectSlugs: readonly string[],
): Promise<readonly Project[]> {
  const visible = await listVisibleProjects(ctx);
  if (projectSlugs.length === 0) return visible;
  return [...new Set(projectSlugs)].map((slug) => {
    const project = visible.find((candidate) => candidate.slug === slug);
    if (!project) throw projectNotFound(ctx, slug);
    return project;
  });
}

/** What reads of events may touch: the given projects of the organization. */
export function eventScope(ctx: Context, projectIds: readonly number[]): EventScope {
  return { organizationId: ctx.organization.id, projectIds };
}

export const projectNotFound = (ctx: Context, slug: string) =>
  notFound(`The organization ${ctx.organization.slug} has no project "${slug}": check the slug`);

function seesInternal({ actor }: Context): boolean {
  return actor.kind === 'system' || actor.isInstanceOwner;
}
