import type { Context } from '#product/context.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { getProject } from '#product/visible-projects.ts';

/** How far a project has come: `issue` is the one with the newest event, null while there is none. */
export type FirstEvent = {
  /** Milliseconds since the epoch; null until an event is stored. */
  at: number | null;
  issue: { shortId: string; title: string /** Milliseconds since the epoch. */; lastSeen: number } | null;
};

export async function findFirstEvent(ctx: Context, projectSlug: string): Promise<FirstEvent> {
  const { firstEventAt } = await getProject(ctx, projectSlug);
  if (firstEventAt === null) return { at: null, issue: null };
  const { issues } = await listIssues(ctx, {
    query: '',
    projectSlugs: [projectSlug],
    sort: 'date',
    range: null,
    cursor: null,
    limit: 1,
  });
  const [newest] = issues;
  if (!newest) return { at: firstEventAt, issue: null };
  const { shortId, title, lastSeen } = newest;
  return { at: firstEventAt, issue: { shortId, title, lastSeen } };
}
