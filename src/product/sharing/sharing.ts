import type { Issue } from '#domain/issues/issue.ts';
import { forbidden, invalid } from '#lib/errors.ts';
import { createOneTimeSecret, hashSecret } from '#lib/one-time-secret.ts';
import { DAY_MS } from '#lib/time.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited, issueTarget, organizationTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { issueNotFound } from '#product/issues/get-issue.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import type { IssueShare } from './issue-share-store.ts';

/** Whether an issue is shared, and whether it may be. */
export async function getSharing(
  ctx: Context,
  issue: Issue,
): Promise<{ isAllowed: boolean; share: IssueShare | null }> {
  requireRight(ctx, 'event:read');
  const { issueShares } = ctx.stores;
  const [isAllowed, share] = await Promise.all([
    issueShares.findAllowed(ctx.organization.id),
    issueShares.find(ctx.organization.id, issue.id, ctx.now()),
  ]);
  return { isAllowed, share: isAllowed ? share : null };
}

export const SHARE_DAYS = [1, 7, 30, 90] as const;
export const SHARE_DAYS_DEFAULT = 7;

/** A share at the one moment when its token is known. */
export type NewShare = { share: IssueShare; token: string; url: string };

/**
 * Makes a public page of an issue, open to everybody who has its address. The address is answered once and not kept; an
 * earlier one of the issue opens nothing any more. Throws Forbidden when the organization switched sharing off.
 */
export async function shareIssue(ctx: Context, issue: Issue, input: { days: number }): Promise<NewShare> {
  requireRight(ctx, 'event:write');
  if (!SHARE_DAYS.some((days) => days === input.days)) {
    throw invalid(`An issue can be shared for ${SHARE_DAYS.join(', ')} days`, 'days');
  }
  if (!(await ctx.stores.issueShares.findAllowed(ctx.organization.id))) {
    throw forbidden(`Sharing is disabled in ${ctx.organization.slug}: ask a manager to enable it`);
  }
  const token = createOneTimeSecret();
  const nowMs = ctx.now();
  const share = await audited(
    ctx,
    async (ctx) => {
      const put = await ctx.stores.issueShares.put(
        ctx.organization.id,
        issue.id,
        { tokenHash: hashSecret(token), expiresAt: nowMs + input.days * DAY_MS },
        userIdOf(ctx),
        nowMs,
      );
      if (!put) throw issueNotFound(ctx, issue.shortId);
      return put;
    },
    () => ({ action: 'issue.share', target: issueTarget(issue), data: { days: input.days } }),
  );
  return { share, token, url: `${ctx.publicUrl}/share/issue/${token}` };
}

/** The public page of the issue is gone. False when it was not shared. */
export async function stopSharing(ctx: Context, issue: Issue): Promise<boolean> {
  requireRight(ctx, 'event:write');
  return audited(
    ctx,
    (ctx) => ctx.stores.issueShares.remove(ctx.organization.id, issue.id, userIdOf(ctx), ctx.now()),
    (wasShared) => (wasShared ? { action: 'issue.unshare', target: issueTarget(issue) } : null),
  );
}

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
