import { orNotFound } from '#app/or-not-found.ts';
import { getRequestContext } from '#app/request-context.ts';
import type { PageRequest } from '#app/url-state.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { listProjectKeys, type ProjectKey } from '#product/projects/client-keys.ts';
import { getProject } from '#product/visible-projects.ts';

/** A project with its keys; the not-found page when there is none that the user may see. */
export async function loadProject(
  ctx: Context,
  slug: string,
): Promise<{ project: Project; keys: readonly ProjectKey[]; dsn: string | null }> {
  const [project, keys] = await orNotFound(Promise.all([getProject(ctx, slug), listProjectKeys(ctx, slug)]));
  return { project, keys, dsn: keys.find((key) => key.isActive)?.dsn ?? null };
}

/** The context and the project of a page; the not-found page when the user may not see the project. */
export async function loadProjectPage(params: PageRequest<'org' | 'project'>['params']) {
  const { org, project: slug } = await params;
  const ctx = await getRequestContext(org);
  return { org, slug, ctx, ...(await loadProject(ctx, slug)) };
}

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
