import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { findEventsOfIssue, type IssueEventFilter, openIssueFilter } from '#product/issues/issue-events.ts';
import { requireRight } from '#product/permissions.ts';
import { TELEMETRY_PLACE } from '#product/telemetry/telemetry.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import type { DigestedFeedback } from '#protocol/telemetry.ts';

/** What people said about one event, newest first, at most 20; nothing of a project that the actor does not see. */
export async function listEventFeedback(
  ctx: Context,
  event: { projectId: number; eventId: string },
): Promise<readonly DigestedFeedback[]> {
  requireRight(ctx, 'event:read');
  const isVisible = (await listVisibleProjects(ctx)).some(({ id }) => id === event.projectId);
  if (!isVisible) return [];
  return ctx.stores.telemetry.listEventFeedback(eventScope(ctx, [event.projectId]), event.eventId);
}

/** What people said about the events of an issue, newest first. Throws Invalid for a bad search. */
export async function listIssueFeedback(
  ctx: Context,
  issue: Issue,
  input: IssueEventFilter & { cursor: string | null; limit: number },
): Promise<{ rows: readonly DigestedFeedback[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const before = decodeCursor(input.cursor, TELEMETRY_PLACE);
  const events = await findEventsOfIssue(ctx, issue);
  const { rows, next } = await ctx.stores.telemetry.listIssueFeedback(
    eventScope(ctx, [issue.projectId]),
    events,
    { limit: input.limit, before, filter: await openIssueFilter(ctx, issue, input) },
  );
  return { rows, nextCursor: next && encodeCursor(next) };
}

/** The issue of the error that each feedback is about, by the error's id; at most as many look-ups as there are rows. */
export async function findFeedbackIssues(
  ctx: Context,
  rows: readonly DigestedFeedback[],
): Promise<ReadonlyMap<string, Issue>> {
  requireRight(ctx, 'event:read');
  const about = new Map(
    rows.flatMap((row) => (row.associatedEventId === null ? [] : [[row.associatedEventId, row.projectId]])),
  );
  const found = await Promise.all(
    [...about].map(async ([eventId, projectId]) => {
      const event = await ctx.stores.events.findEvent(eventScope(ctx, [projectId]), eventId);
      const issue =
        event && (await ctx.stores.issues.findByHash(ctx.organization.id, projectId, event.groupingHash));
      return issue ? [[eventId, issue] as const] : [];
    }),
  );
  return new Map(found.flat());
}
