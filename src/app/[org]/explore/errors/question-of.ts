import { timeBounds } from '#app/url-state.ts';
import type { Context } from '#product/context.ts';
import type { Question } from '#product/explore/open-question.ts';
import { listProjects } from '#product/projects/list-projects.ts';
import type { ExploreState } from './explore-state.ts';

/** The question of an address; projects that are not there are left out. */
export async function questionOf(ctx: Context, { filters, query }: ExploreState): Promise<Question> {
  const projects = new Set((await listProjects(ctx)).map((project) => project.slug));
  return {
    query,
    projectSlugs: filters.projects.filter((slug) => projects.has(slug)),
    environments: filters.environments,
    range: timeBounds(filters.time, ctx.now()),
  };
}
