import type { Issue } from '#domain/issues/issue.ts';
import { notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';

/** Throws NotFound. */
export async function removeLink(ctx: Context, issue: Issue, linkId: number): Promise<void> {
  requireRight(ctx, 'event:write');
  const isRemoved = await ctx.stores.issueLinks.remove(
    ctx.organization.id,
    issue.id,
    linkId,
    userIdOf(ctx),
    ctx.now(),
  );
  if (!isRemoved) throw notFound(`The issue ${issue.shortId} has no link ${linkId}`);
}
