import { notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { isShortId } from '#protocol/short-id.ts';
import type { Issue } from '#storage/ports/issues.ts';

/** By number or short id (either case). Throws NotFound, also for issues of other organizations. */
export async function getIssue(ctx: Context, idOrShortId: string): Promise<Issue> {
  requireRight(ctx, 'event:read');
  const [issue, projects] = await Promise.all([findIssue(ctx, idOrShortId), listVisibleProjects(ctx)]);
  if (!issue || !projects.some((project) => project.id === issue.projectId)) {
    throw notFound(`The organization ${ctx.organization.slug} has no issue "${shorten(idOrShortId)}"`);
  }
  return issue;
}

async function findIssue(ctx: Context, idOrShortId: string): Promise<Issue | null> {
  const organizationId = ctx.organization.id;
  if (/^\d{1,15}$/.test(idOrShortId)) {
    const [issue] = await ctx.stores.issues.findByIds(organizationId, [Number(idOrShortId)]);
    return issue ?? null;
  }
  return isShortId(idOrShortId) ? ctx.stores.issues.findByShortId(organizationId, idOrShortId) : null;
}

const shorten = (text: string) => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
