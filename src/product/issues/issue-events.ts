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
  EventScope,
  EventSummary,
  EventsBeside,
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

const EVERY_EVENT: IssueEventFilter = { range: null };

/**
 * As `findIssueEvent`, with the events beside it among those that the filter leaves. It has a place among them where they had to
 * be counted: without one, it is the first or the last of all.
 */
export async function getEventBeside(
  ctx: Context,
  issue: Issue,
  which: string,
  filter: IssueEventFilter = EVERY_EVENT,
): Promise<{ event: StoredEvent; beside: EventsBeside | EventNeighbors } | null> {
  requireRight(ctx, 'event:read');
  const { events } = ctx.stores;
  const { scope, own, asked } = await openEvents(ctx, issue, filter);
  if (isEdge(which)) return events.findEdgeBeside(scope, own, which, asked);
  const event = await findById(ctx, scope, own, which);
  return event && { event, beside: await events.findNeighbors(scope, own, event, asked) };
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
  const { scope, own, asked } = await openEvents(ctx, issue, filter);
  if (isEdge(which)) return ctx.stores.events.findEdgeEvent(scope, own, which, asked);
  return findById(ctx, scope, own, which);
}

async function openEvents(ctx: Context, issue: Pick<Issue, 'id' | 'projectId'>, filter: IssueEventFilter) {
  const [own, asked] = await Promise.all([
    findEventsOfIssue(ctx, issue),
    openIssueFilter(ctx, issue, filter),
  ]);
  return { scope: eventScope(ctx, [issue.projectId]), own, asked };
}

const isEdge = (which: string): which is 'recommended' | 'latest' | 'oldest' =>
  which === 'recommended' || which === 'latest' || which === 'oldest';

async function findById(
  ctx: Context,
  scope: EventScope,
  { hashes }: IssueEvents,
  which: string,
): Promise<StoredEvent | null> {
  const eventId = parseEventId(which);
  const found = eventId === null ? null : await ctx.stores.events.findEvent(scope, eventId);
  return found && hashes.includes(found.groupingHash) ? found : null;
}

/** Where an event stands among the events of its issue that the filter leaves. Throws Invalid for a bad search. */
export async function findEventNeighbors(
  ctx: Context,
  issue: Pick<Issue, 'id' | 'projectId'>,
  event: EventKey,
  filter: IssueEventFilter = EVERY_EVENT,
): Promise<EventNeighbors> {
  requireRight(ctx, 'event:read');
  const { scope, own, asked } = await openEvents(ctx, issue, filter);
  return ctx.stores.events.findNeighbors(scope, own, event, asked);
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

type CountedIssue = Pick<Issue, 'id' | 'projectId'> & Partial<Pick<Issue, 'timesSeen'>>;

/** Where the events of each issue are found: its grouping hashes. In the order of the issues. */
export async function findIssueEvents(
  ctx: Context,
  issues: readonly CountedIssue[],
): Promise<readonly IssueEvents[]> {
  const hashes = await ctx.stores.issues.listHashes(
    ctx.organization.id,
    issues.map((issue) => issue.id),
  );
  return issues.map((issue) => eventsOf(issue, hashes.get(issue.id)));
}

/** As `findIssueEvents`, for one issue. */
export async function findEventsOfIssue(ctx: Context, issue: CountedIssue): Promise<IssueEvents> {
  const [events] = await findIssueEvents(ctx, [issue]);
  return events ?? eventsOf(issue);
}

const eventsOf = (
  { id, projectId, timesSeen }: CountedIssue,
  hashes: readonly string[] = [],
): IssueEvents => ({
  issueId: id,
  projectId,
  hashes,
  ...(timesSeen === undefined ? {} : { storedEvents: timesSeen }),
});
