import type { Issue } from '#domain/issues/issue.ts';
import { invalid } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueLink } from '#storage/ports/issue-links.ts';
import { checkLink } from './check-link.ts';

export const LINKS_PER_ISSUE_MAX = 50;

/** Links an issue to one of another system; nothing is fetched from there. Throws Invalid, and Conflict for a known one. */
export async function addLink(
  ctx: Context,
  issue: Issue,
  input: { url: string; title?: string },
): Promise<IssueLink> {
  requireRight(ctx, 'event:write');
  const link = await ctx.stores.issueLinks.add(
    ctx.organization.id,
    issue.id,
    checkLink(input),
    userIdOf(ctx),
    ctx.now(),
    LINKS_PER_ISSUE_MAX,
  );
  if (link) return link;
  throw invalid(`An issue has at most ${LINKS_PER_ISSUE_MAX} links: remove one first`, 'url');
}
