import type { Project } from '#domain/projects.ts';
import { notFound } from '#lib/errors.ts';
import type { EventScope } from '#storage/ports/events.ts';
import { isInstanceOwner, userIdOf } from './acting-user.ts';
import type { Context } from './context.ts';
import { requireOneOf, requireRight, roleHas } from './permissions.ts';

/** Projects that the actor may see, by slug, internal ones last; without `org:write` maybe only their teams'. */
export async function listVisibleProjects(ctx: Context): Promise<readonly Project[]> {
  const [projects, ofTeams] = await Promise.all([
    ctx.stores.projects.listProjects(ctx.organization.id),
    findTeamProjects(ctx),
  ]);
  return projects
    .filter(
      ({ id, isInternal }) => (!isInternal || isInstanceOwner(ctx)) && (ofTeams === null || ofTeams.has(id)),
    )
    .toSorted((a, b) => Number(a.isInternal) - Number(b.isInternal));
}

/** Ids of the visible projects; null for an actor who sees them all, and so what no project uses, too. */
export async function visibleProjectIds(ctx: Context): Promise<readonly number[] | null> {
  const [projects, visible] = await Promise.all([
    ctx.stores.projects.listProjects(ctx.organization.id),
    listVisibleProjects(ctx),
  ]);
  return visible.length === projects.length && !isBoundToTeams(ctx) ? null : visible.map(({ id }) => id);
}

/** Ids of the visible projects of somebody limited to their teams; null for everyone else. */
export async function teamProjectIds(ctx: Context): Promise<readonly number[] | null> {
  return isBoundToTeams(ctx) ? await visibleProjectIds(ctx) : null;
}

/** Whether the actor sees the projects of their teams only. */
export function isBoundToTeams({ organization, actor }: Pick<Context, 'organization' | 'actor'>): boolean {
  if (organization.isOpen || (actor.kind !== 'user' && actor.kind !== 'token')) return false;
  return !roleHas(actor.role, 'org:write');
}

/** null for all. */
async function findTeamProjects(ctx: Context): Promise<ReadonlySet<number> | null> {
  const userId = userIdOf(ctx);
  if (userId === null || !isBoundToTeams(ctx)) return null;
  return new Set(await ctx.stores.teams.listProjectIdsOf(ctx.organization.id, userId));
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

/** As `selectProjects`, of one slug. */
export async function selectProject(ctx: Context, slug: string): Promise<Project> {
  const [project] = await selectProjects(ctx, [slug]);
  if (!project) throw projectNotFound(ctx, slug);
  return project;
}

/** What reads of events may touch: the given projects of the organization, or those with the ids. */
export function eventScope(ctx: Context, projects: readonly (number | { id: number })[]): EventScope {
  const projectIds = projects.map((project) => (typeof project === 'number' ? project : project.id));
  return { organizationId: ctx.organization.id, projectIds };
}

export const projectNotFound = (ctx: Context, slug: string) =>
  notFound(`The organization ${ctx.organization.slug} has no project "${slug}": check the slug`);

/** By slug, ascending; internal projects last, and for the instance's owner only. */
export async function listProjects(ctx: Context): Promise<readonly Project[]> {
  requireOneOf(ctx, ['project:read', 'org:ci']);
  return listVisibleProjects(ctx);
}

/** Throws NotFound when the organization has no such project that the actor may see. */
export async function getProject(ctx: Context, slug: string): Promise<Project> {
  requireRight(ctx, 'project:read');
  return await selectProject(ctx, slug);
}
