import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueMarks } from '#storage/ports/issue-marks.ts';
import { findMarks, NO_MARKS } from './get-issue-people.ts';

/** What a list shows of what people made of an issue. */
export type IssuePeopleView = {
  /** Of whoever asks. */
  marks: IssueMarks;
  comments: number;
  /** Whether it has a public page. */
  isShared: boolean;
};

/** One entry for each id, whatever their number by three queries. */
export async function findPeopleViews(
  ctx: Context,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, IssuePeopleView>> {
  requireRight(ctx, 'event:read');
  if (issueIds.length === 0) return new Map();
  const { comments, issueShares } = ctx.stores;
  const organizationId = ctx.organization.id;
  const [marks, counts, shared] = await Promise.all([
    findMarks(ctx, issueIds),
    comments.count(organizationId, issueIds),
    issueShares.findShared(organizationId, issueIds, ctx.now()),
  ]);
  return new Map(
    issueIds.map((id) => [
      id,
      { marks: marks.get(id) ?? NO_MARKS, comments: counts.get(id) ?? 0, isShared: shared.has(id) },
    ]),
  );
}
