import { audited, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { IssueShare } from '#storage/ports/issue-shares.ts';

const SHARES_MAX = 200;

/** Whether issues of the organization may be shared, and the newest that are, at most 200. */
export async function getOrganizationSharing(
  ctx: Context,
): Promise<{ isAllowed: boolean; shares: readonly IssueShare[] }> {
  requireRight(ctx, 'org:read');
  const { issueShares, issues } = ctx.stores;
  const [isAllowed, shares, projects] = await Promise.all([
    issueShares.findAllowed(ctx.organization.id),
    issueShares.list(ctx.organization.id, ctx.now(), SHARES_MAX),
    listVisibleProjects(ctx),
  ]);
  const shared = await issues.findByIds(
    ctx.organization.id,
    shares.map(({ issueId }) => issueId),
  );
  const projectOf = new Map(shared.map((issue) => [issue.id, issue.projectId]));
  const visible = new Set(projects.map(({ id }) => id));
  return { isAllowed, shares: shares.filter(({ issueId }) => visible.has(projectOf.get(issueId) ?? 0)) };
}

/** Switched off, every public page of the organization answers that it does not exist. */
export async function setSharingAllowed(ctx: Context, isAllowed: boolean): Promise<void> {
  requireRight(ctx, 'org:write');
  await audited(
    ctx,
    (ctx) => ctx.stores.issueShares.setAllowed(ctx.organization.id, isAllowed),
    () => ({ action: 'org.sharing.edit', target: organizationTarget(ctx), data: { isAllowed } }),
  );
}
