import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import type { IssueEvents } from '#storage/ports/events.ts';

/** Where the events of each issue are found: its grouping hashes. In the order of the issues. */
export async function findIssueEvents(
  ctx: Context,
  issues: readonly Pick<Issue, 'id' | 'projectId'>[],
): Promise<readonly IssueEvents[]> {
  const hashes = await ctx.stores.issues.listHashes(
    ctx.organization.id,
    issues.map((issue) => issue.id),
  );
  return issues.map((issue) => ({
    issueId: issue.id,
    projectId: issue.projectId,
    hashes: hashes.get(issue.id) ?? [],
  }));
}

/** As `findIssueEvents`, for one issue. */
export async function findEventsOfIssue(
  ctx: Context,
  issue: Pick<Issue, 'id' | 'projectId'>,
): Promise<IssueEvents> {
  const [events] = await findIssueEvents(ctx, [issue]);
  return events ?? { issueId: issue.id, projectId: issue.projectId, hashes: [] };
}
