import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueMarks, SeenBy, Subscriber } from '#storage/ports/issue-marks.ts';
import type { Issue } from '#storage/ports/issues.ts';

const PEOPLE_MAX = 100;

export const NO_MARKS: IssueMarks = { isBookmarked: false, subscription: null, hasSeen: false };

export type IssuePeople = {
  /** Of whoever asks. */
  marks: IssueMarks;
  subscribers: readonly Subscriber[];
  /** Latest first. */
  seenBy: readonly SeenBy[];
};

/** Who follows and who has seen an issue, at most 100 of each. */
export async function getIssuePeople(ctx: Context, issue: Issue): Promise<IssuePeople> {
  requireRight(ctx, 'event:read');
  const { issueMarks } = ctx.stores;
  const [marks, subscribers, seenBy] = await Promise.all([
    findMarks(ctx, [issue.id]),
    issueMarks.listSubscribers(ctx.organization.id, issue.id, PEOPLE_MAX),
    issueMarks.listSeenBy(ctx.organization.id, issue.id, PEOPLE_MAX),
  ]);
  return { marks: marks.get(issue.id) ?? NO_MARKS, subscribers, seenBy };
}

/** What whoever asks made of each issue. */
export async function findMarks(
  ctx: Context,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, IssueMarks>> {
  const userId = userIdOf(ctx);
  if (userId === null || issueIds.length === 0) return new Map();
  return ctx.stores.issueMarks.findMarks(ctx.organization.id, issueIds, userId);
}
