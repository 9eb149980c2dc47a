import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { IssueUserState } from '#storage/ports/issue-user-state.ts';
import { findUserState, NO_USER_STATE } from './get-issue-people.ts';

/** What a list shows of what people made of an issue. */
export type IssuePeopleView = {
  /** Of whoever asks. */
  userState: IssueUserState;
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
  const [userState, counts, shared] = await Promise.all([
    findUserState(ctx, issueIds),
    comments.count(organizationId, issueIds),
    issueShares.findShared(organizationId, issueIds, ctx.now()),
  ]);
  return new Map(
    issueIds.map((id) => [
      id,
      {
        userState: userState.get(id) ?? NO_USER_STATE,
        comments: counts.get(id) ?? 0,
        isShared: shared.has(id),
      },
    ]),
  );
}
