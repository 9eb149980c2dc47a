import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { EVENT_PLACE, placeAfter } from '#product/events/list-project-events.ts';
import { requireRight } from '#product/permissions.ts';
import { openEventSearch } from '#product/search/read-event-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type { EventKey, EventSummary, IssueEvents, StoredEvent } from '#storage/ports/events.ts';

/** Newest first. `range` null is any time, `query` absent every event. Throws Invalid for a bad search. */
export async function listIssueEvents(
  ctx: Context,
  issue: Issue,
  input: {
    cursor: string | null;
    limit: number;
    range: Range | null;
    query?: string;
    environments?: readonly string[];
  },
): Promise<{ events: readonly EventSummary[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  if (input.range) checkRange(input.range);
  const before = decodeCursor(input.cursor, EVENT_PLACE);
  const scope = eventScope(ctx, [issue.projectId]);
  const projects = await listVisibleProjects(ctx);
  const expression = await openEventSearch(
    ctx,
    input.query,
    projects.filter((project) => project.id === issue.projectId),
    input.environments,
  );
  const page = await ctx.stores.events.listIssueEvents(scope, await findEventsOfIssue(ctx, issue), {
    limit: input.limit,
    before,
    range: input.range,
    ...expression,
  });
  const next = placeAfter(page);
  return { events: page.events, nextCursor: next && encodeCursor(next) };
}

export type IssueEvent = EventNeighbours & { event: StoredEvent };

/** As `findIssueEvent`, with its place among the events of the issue. */
export async function getIssueEvent(ctx: Context, issue: Issue, which: string): Promise<IssueEvent | null> {
  const event = await findIssueEvent(ctx, issue, which);
  return event && { event, ...(await findEventNeighbours(ctx, issue, event)) };
}

/** `which` is `recommended`, `latest`, `oldest` or an event id. null when the issue has no such event (any more). */
export async function findIssueEvent(ctx: Context, issue: Issue, which: string): Promise<StoredEvent | null> {
  requireRight(ctx, 'event:read');
  const scope = eventScope(ctx, [issue.projectId]);
  const events = await findEventsOfIssue(ctx, issue);
  if (which === 'recommended' || which === 'latest' || which === 'oldest') {
    return ctx.stores.events.findEdgeEvent(scope, events, which);
  }
  const eventId = parseEventId(which);
  const found = eventId === null ? null : await ctx.stores.events.findEvent(scope, eventId);
  return found && events.hashes.includes(found.groupingHash) ? found : null;
}

export type EventNeighbours = {
  /** The next older event of the issue; null at the oldest. */
  previousId: string | null;
  /** The next newer event of the issue; null at the latest. */
  nextId: string | null;
  /** 1-based, oldest first. */
  position: number;
  /** Events of the issue that are still stored. */
  total: number;
};

/** Where an event stands among the events of its issue. */
export async function findEventNeighbours(
  ctx: Context,
  issue: Pick<Issue, 'id' | 'projectId'>,
  event: EventKey,
): Promise<EventNeighbours> {
  requireRight(ctx, 'event:read');
  return ctx.stores.events.findNeighbours(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    event,
  );
}

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
