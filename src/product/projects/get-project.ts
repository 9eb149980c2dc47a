import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { projectNotFound, selectProjects } from '#product/visible-projects.ts';
import type { Project } from '#storage/ports/projects.ts';

/** Throws NotFound when the organization has no such project that the actor may see. */
export async function getProject(ctx: Context, slug: string): Promise<Project> {
  requireRight(ctx, 'project:read');
  const [project] = await selectProjects(ctx, [slug]);
  if (!project) throw projectNotFound(ctx, slug);
  return project;
}
