import type { Issue } from '#domain/issues/issue.ts';
import { forbidden, invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { createOneTimeSecret, hashSecret } from '#product/accounts/one-time-secret.ts';
import { userIdOf } from '#product/acting-user.ts';
import { audited, issueTarget } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { issueNotFound } from '#product/issues/get-issue.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueShare } from '#storage/ports/issue-shares.ts';

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
    throw invalid(`An issue is shared for ${SHARE_DAYS.join(', ')} days`, 'days');
  }
  if (!(await ctx.stores.issueShares.findAllowed(ctx.organization.id))) {
    throw forbidden(`Sharing is switched off in ${ctx.organization.slug}: ask a manager`);
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
