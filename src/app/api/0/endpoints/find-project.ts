import { type ApiCaller, contextOf } from '#app/api/0/api-caller.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { listVisibleProjects, projectNotFound } from '#product/visible-projects.ts';

/** Parts of a path that name a project; each by slug or number. */
export type ProjectParams = { org: string; project: string };

/** Throws NotFound when the caller sees no such project. What may be read of it, the verbs decide. */
export async function findProject(
  caller: ApiCaller,
  params: ProjectParams,
): Promise<{ ctx: Context; project: Project }> {
  const ctx = contextOf(caller, params.org);
  return { ctx, project: await selectProject(ctx, params.project) };
}

export async function selectProject(ctx: Context, slugOrId: string): Promise<Project> {
  const projects = await listVisibleProjects(ctx);
  const project = projects.find(({ slug, id }) => slug === slugOrId || String(id) === slugOrId);
  if (!project) throw projectNotFound(ctx, slugOrId.slice(0, 80));
  return project;
}
