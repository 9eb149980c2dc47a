import type { Context } from '#product/context.ts';
import type { IssueFilter } from '#storage/ports/issues.ts';
import { findAssigneeId } from './find-assignee-id.ts';

/** The filter with e-mail addresses of assignees replaced by user ids. Throws Invalid when one is of no member. */
export async function resolveAssignees(ctx: Context, filter: IssueFilter): Promise<IssueFilter> {
  const userIdOf = (assignee: string) => (assignee.includes('@') ? findAssigneeId(ctx, assignee) : assignee);
  const [assignees, negatedAssignees] = await Promise.all([
    Promise.all(filter.assignees.map(userIdOf)),
    Promise.all(filter.negated.assignees.map(userIdOf)),
  ]);
  return { ...filter, assignees, negated: { ...filter.negated, assignees: negatedAssignees } };
}
