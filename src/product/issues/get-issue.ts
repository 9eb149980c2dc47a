import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
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
  notFound(`The organization ${ctx.organization.slug} has no issue "${shorten(idOrShortId)}"`);

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
