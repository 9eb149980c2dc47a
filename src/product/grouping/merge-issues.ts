import type { Issue } from '#domain/issues/issue.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import { selectIssues } from '#product/issues/get-issue.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { GroupingChange, IssueHash } from './grouping-change.ts';
import { UNDO_DAYS } from './grouping-changes.ts';

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

type MergeInput = { issueIds: readonly number[]; targetId?: number; projectSlugs?: readonly string[] };

export type MergePreview = {
  /** Short ID of the issue that stays. */
  into: string;
  /** Issues that become part of it, and their events. */
  issues: number;
  events: number;
  /** Events that it then has. */
  eventsAfter: number;
  /** How long the merge can be undone. */
  undoDays: number;
};

/** What a merge would change, which `mergeIssues` then does. Throws as it does. */
export async function previewMerge(ctx: Context, input: MergeInput): Promise<MergePreview> {
  const { target, children } = await selectMerge(ctx, input);
  const events = children.reduce((sum, { timesSeen }) => sum + timesSeen, 0);
  return {
    into: target.shortId,
    issues: children.length,
    events,
    eventsAfter: target.timesSeen + events,
    undoDays: UNDO_DAYS,
  };
}

/** Merges issues of a project into one: the given one, else the one with most events. Returns what undo needs. */
export async function mergeIssues(
  ctx: Context,
  input: MergeInput,
): Promise<{ target: Issue; children: readonly Issue[]; change: GroupingChange }> {
  const { target, children } = await selectMerge(ctx, input);
  const change = await ctx.stores.regroups.merge(
    ctx.organization.id,
    { targetId: target.id, issueIds: children.map(({ id }) => id) },
    userIdOf(ctx),
    ctx.now(),
  );
  return { target, children, change };
}

async function selectMerge(
  ctx: Context,
  input: MergeInput,
): Promise<{ target: Issue; children: readonly Issue[] }> {
  requireRight(ctx, 'event:write');
  const issues = await selectIssues(ctx, input.issueIds, input.projectSlugs);
  if (issues.length === 0) throw notFound('None of these issues exist');
  if (issues.length < 2) throw invalid('Choose at least two issues to merge', 'id');
  const [largest] = [...issues].sort((a, b) => b.timesSeen - a.timesSeen || a.id - b.id);
  const target = input.targetId === undefined ? largest : issues.find(({ id }) => id === input.targetId);
  if (!target) throw notFound('The issue to merge into is not one of the selected issues');
  return { target, children: issues.filter((issue) => issue !== target) };
}

export const HASHES_PER_UNMERGE_MAX = 1_000;

/** Moves hashes out of an issue: back to the one they were merged from, else to a new one. Returns what undo needs. */
export async function unmergeHashes(
  ctx: Context,
  issue: Issue,
  hashes: readonly string[],
): Promise<{ change: GroupingChange; issueId: number }> {
  requireRight(ctx, 'event:write');
  if (hashes.length > HASHES_PER_UNMERGE_MAX) {
    throw invalid(`At most ${HASHES_PER_UNMERGE_MAX} hashes can be unmerged at a time: choose fewer`, 'id');
  }
  return ctx.stores.regroups.unmerge(
    ctx.organization.id,
    { issueId: issue.id, hashes },
    userIdOf(ctx),
    ctx.now(),
  );
}
