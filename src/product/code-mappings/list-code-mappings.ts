import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireReleaseRead } from '#product/releases/release-rights.ts';
import { selectProjects } from '#product/visible-projects.ts';
import type { CodeMapping } from '#storage/ports/code-mappings.ts';
import type { Project } from '#storage/ports/projects.ts';
import type { Repository } from '#storage/ports/repositories.ts';

export type CodeMappingRow = { mapping: CodeMapping; project: Project; repository: Repository };

/** Of the projects, of every visible one for none; by project, then by root. Throws NotFound. */
export async function listCodeMappings(
  ctx: Context,
  projectSlugs: readonly string[],
): Promise<readonly CodeMappingRow[]> {
  requireReleaseRead(ctx);
  const projects = await selectProjects(ctx, projectSlugs);
  const mappings = await ctx.stores.codeMappings.list(
    ctx.organization.id,
    projects.map(({ id }) => id),
  );
  return completeMappings(ctx, mappings, projects);
}

/** With what they name; what names something that is gone meanwhile is left out. */
export async function completeMappings(
  ctx: Context,
  mappings: readonly CodeMapping[],
  projects: readonly Project[],
): Promise<readonly CodeMappingRow[]> {
  const ids = [...new Set(mappings.map(({ repositoryId }) => repositoryId))];
  const repositories = await ctx.stores.repositories.findByIds(ctx.organization.id, ids);
  return mappings.flatMap((mapping) => {
    const project = projects.find(({ id }) => id === mapping.projectId);
    const repository = repositories.find(({ id }) => id === mapping.repositoryId);
    return project && repository ? [{ mapping, project, repository }] : [];
  });
}

/** Throws NotFound, also for one of a project that is not visible. */
export async function findVisibleMapping(ctx: Context, mappingId: number): Promise<CodeMapping> {
  const [mapping, projects] = await Promise.all([
    ctx.stores.codeMappings.find(ctx.organization.id, mappingId),
    selectProjects(ctx, []),
  ]);
  if (mapping && projects.some(({ id }) => id === mapping.projectId)) return mapping;
  throw notFound(`${ctx.organization.slug} has no such code mapping: it was deleted, reload the list`);
}
