import type { Issue } from '#domain/issues/issue.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { EVENT_PLACE, placeAfter } from '#product/events/list-project-events.ts';
import { requireRight } from '#product/permissions.ts';
import { openEventSearch } from '#product/search/read-event-search.ts';
import { checkRange, type Range } from '#product/time-buckets.ts';
import { eventScope, listVisibleProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';
import type {
  CountedRange,
  EventFilter,
  EventKey,
  EventNeighbors,
  EventSummary,
  IssueActivity,
  IssueEvents,
  StoredEvent,
} from '#storage/ports/events.ts';

/** Which events of an issue a page is about. `range` null is any time, `query` absent or empty every event. */
export type IssueEventFilter = {
  range: Range | null;
  query?: string;
  environments?: readonly string[];
};

/** The filter as the event store takes it. Throws Invalid for a bad range or search. */
export async function openIssueFilter(
  ctx: Context,
  issue: Pick<Issue, 'projectId'>,
  { range, query, environments }: IssueEventFilter,
): Promise<EventFilter> {
  if (range) checkRange(range);
  const projects = await listVisibleProjects(ctx);
  const own = projects.filter((project) => project.id === issue.projectId);
  return { range, ...(await openEventSearch(ctx, query, own, environments)) };
}

/** Newest first. Throws Invalid for a bad search. */
export async function listIssueEvents(
  ctx: Context,
  issue: Issue,
  input: IssueEventFilter & { cursor: string | null; limit: number },
): Promise<{ events: readonly EventSummary[]; nextCursor: string | null }> {
  requireRight(ctx, 'event:read');
  checkLimit(input.limit);
  const before = decodeCursor(input.cursor, EVENT_PLACE);
  const filter = await openIssueFilter(ctx, issue, input);
  const page = await ctx.stores.events.listIssueEvents(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    { limit: input.limit, before, ...filter },
  );
  const next = placeAfter(page);
  return { events: page.events, nextCursor: next && encodeCursor(next) };
}

export type IssueEvent = EventNeighbors & { event: StoredEvent };

/** As `findIssueEvent`, with its place among the events of the issue. */
export async function getIssueEvent(ctx: Context, issue: Issue, which: string): Promise<IssueEvent | null> {
  const event = await findIssueEvent(ctx, issue, which);
  return event && { event, ...(await findEventNeighbors(ctx, issue, event)) };
}

/**
 * `which` is `recommended`, `latest`, `oldest`, each of the events that the filter leaves, or an event id. null when the
 * issue has no such event (any more). Throws Invalid for a bad search.
 */
export async function findIssueEvent(
  ctx: Context,
  issue: Issue,
  which: string,
  filter: IssueEventFilter = EVERY_EVENT,
): Promise<StoredEvent | null> {
  requireRight(ctx, 'event:read');
  const scope = eventScope(ctx, [issue.projectId]);
  const events = await findEventsOfIssue(ctx, issue);
  if (which === 'recommended' || which === 'latest' || which === 'oldest') {
    return ctx.stores.events.findEdgeEvent(scope, events, which, await openIssueFilter(ctx, issue, filter));
  }
  const eventId = parseEventId(which);
  const found = eventId === null ? null : await ctx.stores.events.findEvent(scope, eventId);
  return found && events.hashes.includes(found.groupingHash) ? found : null;
}

const EVERY_EVENT: IssueEventFilter = { range: null };

/** Where an event stands among the events of its issue that the filter leaves. Throws Invalid for a bad search. */
export async function findEventNeighbors(
  ctx: Context,
  issue: Pick<Issue, 'id' | 'projectId'>,
  event: EventKey,
  filter: IssueEventFilter = EVERY_EVENT,
): Promise<EventNeighbors> {
  requireRight(ctx, 'event:read');
  return ctx.stores.events.findNeighbors(
    eventScope(ctx, [issue.projectId]),
    await findEventsOfIssue(ctx, issue),
    event,
    await openIssueFilter(ctx, issue, filter),
  );
}

/** Events and users of one issue over time. Throws Invalid for a bad search. */
export async function getIssueTrend(
  ctx: Context,
  issue: Issue,
  input: IssueEventFilter & { range: CountedRange; bucketMs: number },
): Promise<IssueActivity> {
  requireRight(ctx, 'event:read');
  checkRange(input.range, input.bucketMs);
  const { expression } = await openIssueFilter(ctx, issue, input);
  const [activity] = await ctx.stores.events.countActivity(
    eventScope(ctx, [issue.projectId]),
    [await findEventsOfIssue(ctx, issue)],
    input.range,
    input.bucketMs,
    expression,
  );
  if (!activity) throw new Error(`No activity was counted for issue ${issue.id}`);
  return activity;
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
