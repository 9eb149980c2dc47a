import type { Issue } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { selectProjects } from '#product/visible-projects.ts';

export const ISSUES_PER_CALL_MAX = 1_000;

/**
 * The issues of the given ids that the actor may know of, of the projects with the slugs (every visible one for none);
 * others are left out. Throws Invalid for too many ids and for what is none, NotFound for an unknown project.
 */
export async function selectIssues(
  ctx: Context,
  issueIds: readonly number[],
  projectSlugs: readonly string[] = [],
): Promise<readonly Issue[]> {
  const distinct = [...new Set(issueIds)];
  if (distinct.length > ISSUES_PER_CALL_MAX) {
    throw invalid(`At most ${ISSUES_PER_CALL_MAX} issues can be named at once: choose fewer`, 'id');
  }
  if (!distinct.every((id) => Number.isSafeInteger(id) && id > 0)) {
    throw invalid('An issue id is a whole number', 'id');
  }
  if (distinct.length === 0) return [];
  const [issues, projects] = await Promise.all([
    ctx.stores.issues.findByIds(ctx.organization.id, distinct),
    selectProjects(ctx, projectSlugs),
  ]);
  const projectIds = new Set(projects.map((project) => project.id));
  return issues.filter((issue) => projectIds.has(issue.projectId));
}
