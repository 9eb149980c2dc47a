import type { Activity, Issue } from '#domain/issues/issue.ts';
import { invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import { isShortId } from '#protocol/short-id.ts';

/**
 * By number or short id (either case); one that was merged leads to the issue that it is part of. Throws NotFound, also
 * for issues of other organizations.
 */
export async function getIssue(ctx: Context, idOrShortId: string): Promise<Issue> {
  requireRight(ctx, 'event:read');
  const [issue, projects] = await Promise.all([findIssue(ctx, idOrShortId), listVisibleProjects(ctx)]);
  if (!issue || !projects.some((project) => project.id === issue.projectId)) {
    throw issueNotFound(ctx, idOrShortId);
  }
  return issue;
}

export const issueNotFound = (ctx: Context, idOrShortId: string) =>
  notFound(`Organization ${ctx.organization.slug} has no issue "${shorten(idOrShortId)}"`);

async function findIssue(ctx: Context, idOrShortId: string): Promise<Issue | null> {
  const organizationId = ctx.organization.id;
  const { issues, regroups } = ctx.stores;
  const byId = async (issueId: number) => (await issues.findByIds(organizationId, [issueId]))[0] ?? null;
  if (/^\d{1,15}$/.test(idOrShortId)) {
    const issueId = Number(idOrShortId);
    return (await byId(issueId)) ?? (await follow({ issueId }));
  }
  if (!isShortId(idOrShortId)) return null;
  return (
    (await issues.findByShortId(organizationId, idOrShortId)) ?? (await follow({ shortId: idOrShortId }))
  );

  async function follow(name: { issueId: number } | { shortId: string }): Promise<Issue | null> {
    const issueId = await regroups.findRedirect(organizationId, name);
    return issueId === null ? null : byId(issueId);
  }
}

const shorten = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);

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
    throw invalid(`At most ${ISSUES_PER_CALL_MAX} issues can be specified at a time: choose fewer`, 'id');
  }
  if (!distinct.every((id) => Number.isSafeInteger(id) && id > 0)) {
    throw invalid('An issue ID must be a whole number', 'id');
  }
  if (distinct.length === 0) return [];
  const [issues, projects] = await Promise.all([
    ctx.stores.issues.findByIds(ctx.organization.id, distinct),
    selectProjects(ctx, projectSlugs),
  ]);
  const projectIds = new Set(projects.map((project) => project.id));
  return issues.filter((issue) => projectIds.has(issue.projectId));
}

const ACTIVITIES_MAX = 100;

/** What people and the system did to the issue, newest first, at most 100. */
export async function listIssueActivity(ctx: Context, issue: Issue): Promise<readonly Activity[]> {
  requireRight(ctx, 'event:read');
  return ctx.stores.issues.listActivity(ctx.organization.id, issue.id, ACTIVITIES_MAX);
}
