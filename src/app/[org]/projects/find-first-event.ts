import type { Context } from '#product/context.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { getProject } from '#product/projects/get-project.ts';

/** How far a project has come: `issue` is the newest one, null while there is none. */
export type FirstEvent = {
  /** Milliseconds since the epoch; null until an event is stored. */
  at: number | null;
  issue: { shortId: string; title: string } | null;
};

export async function findFirstEvent(ctx: Context, projectSlug: string): Promise<FirstEvent> {
  const { firstEventAt } = await getProject(ctx, projectSlug);
  if (firstEventAt === null) return { at: null, issue: null };
  const { issues } = await listIssues(ctx, {
    query: '',
    projectSlugs: [projectSlug],
    sort: 'new',
    range: null,
    cursor: null,
    limit: 1,
  });
  const issue = issues[0];
  return { at: firstEventAt, issue: issue ? { shortId: issue.shortId, title: issue.title } : null };
}
