import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { IssueHash } from '#storage/ports/regroup.ts';

export type HashOfIssue = IssueHash & {
  /** null when its events are gone, and when they were not asked for. */
  latestEvent: StoredEvent | null;
};

/** The grouping hashes of an issue, those with most events first; each with its newest event where asked for. */
export async function listIssueHashes(
  ctx: Context,
  issue: Issue,
  input: { limit: number; withEvents: boolean },
): Promise<readonly HashOfIssue[]> {
  requireRight(ctx, 'event:read');
  const hashes = await ctx.stores.regroups.listHashes(ctx.organization.id, issue.id, input.limit);
  const scope = eventScope(ctx, [issue.projectId]);
  return Promise.all(
    hashes.map(async (entry) => ({
      ...entry,
      latestEvent: input.withEvents
        ? await ctx.stores.events.findEdgeEvent(
            scope,
            { issueId: issue.id, projectId: issue.projectId, hashes: [entry.hash] },
            'latest',
          )
        : null,
    })),
  );
}
