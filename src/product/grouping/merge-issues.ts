import type { Issue } from '#domain/issues/issue.ts';
import { invalid, notFound } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { selectIssues } from '#product/issues/select-issues.ts';
import { requireRight } from '#product/permissions.ts';
import type { GroupingChange } from '#storage/ports/regroup.ts';
import { actorId } from './actor-id.ts';

/**
 * Makes one issue of several of a project: the one that is given, else the one with most events. Counts, comments and
 * activity go along, old short ids lead to it, and later events of any of them belong to it. Answers what undo needs.
 */
export async function mergeIssues(
  ctx: Context,
  input: { issueIds: readonly number[]; targetId?: number; projectSlugs?: readonly string[] },
): Promise<{ target: Issue; children: readonly Issue[]; change: GroupingChange }> {
  requireRight(ctx, 'event:write');
  const issues = await selectIssues(ctx, input.issueIds, input.projectSlugs);
  if (issues.length === 0) throw notFound('None of these issues exists');
  if (issues.length < 2) throw invalid('Choose at least two issues to merge', 'id');
  const [largest] = [...issues].sort((a, b) => b.timesSeen - a.timesSeen || a.id - b.id);
  const target = input.targetId === undefined ? largest : issues.find(({ id }) => id === input.targetId);
  if (!target) throw notFound('The issue to merge into is not among these');
  const children = issues.filter((issue) => issue !== target);
  const change = await ctx.stores.regroups.merge(
    ctx.organization.id,
    { targetId: target.id, issueIds: children.map(({ id }) => id) },
    actorId(ctx),
    ctx.now(),
  );
  return { target, children, change };
}
