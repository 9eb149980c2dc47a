import type { Project } from '#domain/projects.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { EVENT_PLACE } from '#product/events/list-project-events.ts';
import { requireRight } from '#product/permissions.ts';
import { openEventSearch } from '#product/search/read-event-search.ts';
import { alignRange, checkRange, chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { eventScope, selectProjects } from '#product/visible-projects.ts';
import {
  type AskedEvents,
  type EventGroup,
  type EventTrend,
  type ExploredEvent,
  type ExploredPlace,
  GROUP_SORTS,
  type GroupSort,
} from '#storage/ports/event-explore.ts';
import type { EventScope } from '#storage/ports/events.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import { type ExploreColumn, readColumns, readGroupField } from './explore-fields.ts';

export type EventOrder = 'newest' | 'oldest';

/** One event as a row; `cells` has a text for each column, empty for what the event does not have. */
export type ExploredRow = {
  eventId: string;
  projectId: number;
  projectSlug: string;
  /** null when the issue is gone. */
  shortId: string | null;
  title: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  cells: readonly string[];
};

/** Events with the chosen columns. Throws as `openQuestion`, and Invalid for an unknown column or a timeout. */
export async function listExploredEvents(
  ctx: Context,
  question: Question,
  page: { columns: readonly string[]; order: EventOrder; limit: number; cursor: string | null },
): Promise<{ rows: readonly ExploredRow[]; nextCursor: string | null }> {
  checkLimit(page.limit);
  const columns = readColumns(page.columns);
  const after = decodeCursor(page.cursor, EVENT_PLACE);
  const opened = await openQuestion(ctx, question);
  const { rows, next } = await readRows(ctx, opened, columns, { ...page, after });
  return { rows, nextCursor: next && encodeCursor(next) };
}

/** One page of rows, and where the next one begins; null after the last. */
export async function readRows(
  ctx: Context,
  { projects, scope, asked }: OpenQuestion,
  columns: readonly ExploreColumn[],
  page: { order: EventOrder; limit: number; after: ExploredPlace | null },
): Promise<{ rows: readonly ExploredRow[]; next: ExploredPlace | null }> {
  const fields = columns.flatMap((column) => (column.shows === 'field' ? [column.field] : []));
  const { events, hasMore } = await ctx.stores.eventExplore.listFields(scope, asked, fields, page);
  const shortIds = await ctx.stores.issues.findShortIds(
    ctx.organization.id,
    [...new Map(events.map((event) => [issueKey(event), event])).values()].map((event) => ({
      projectId: event.projectId,
      hash: event.groupingHash,
    })),
  );
  const slugs = new Map(projects.map((project) => [project.id, project.slug]));
  const rows = events.map((event): ExploredRow => {
    const shortId = shortIds.get(issueKey(event)) ?? null;
    const projectSlug = slugs.get(event.projectId) ?? '';
    return {
      eventId: event.eventId,
      projectId: event.projectId,
      projectSlug,
      shortId,
      title: event.title,
      occurredAt: event.occurredAt,
      cells: cellsOf(columns, event, { shortId, projectSlug }),
    };
  });
  const last = events.at(-1);
  return {
    rows,
    next: hasMore && last ? { occurredAt: last.occurredAt, eventId: last.eventId } : null,
  };
}

const issueKey = (event: ExploredEvent): string => `${event.projectId}:${event.groupingHash}`;

function cellsOf(
  columns: readonly ExploreColumn[],
  event: ExploredEvent,
  known: { shortId: string | null; projectSlug: string },
): readonly string[] {
  const values = event.values[Symbol.iterator]();
  return columns.map((column) => {
    if (column.shows === 'timestamp') return new Date(event.occurredAt).toISOString();
    if (column.shows === 'issue') return known.shortId ?? '';
    const value = values.next().value ?? '';
    return column.field.kind === 'project' ? known.projectSlug : value;
  });
}

/** How many events, and whom they happened to, over the whole buckets of `range`. */
export type ExploredTrend = EventTrend & { range: Range; bucketMs: number };

/** Counts the events of a question over time, in the given buckets or in as many as a chart has. Throws as `openQuestion`, and Invalid when it takes too long. */
export async function countExploredEvents(
  ctx: Context,
  question: Question,
  bucketMs = chooseBucketMs(question.range),
): Promise<ExploredTrend> {
  checkRange(question.range, bucketMs);
  const range = alignRange(question.range, bucketMs);
  const { scope, asked } = await openQuestion(ctx, { ...question, range });
  return { ...(await ctx.stores.eventExplore.countOverTime(scope, asked, bucketMs)), range, bucketMs };
}

/** Values further down than this are reached by a narrower search. */
const OFFSET_MAX = 10_000;

export type GroupedEvents = {
  groups: readonly EventGroup[];
  /** How many values there are in all. */
  distinct: number;
  hasMore: boolean;
};

/** Values of a field with events, users, first and last time. Throws as `openQuestion`, and Invalid for a bad field. */
export async function groupExploredEvents(
  ctx: Context,
  question: Question,
  by: { field: string; sort: GroupSort; isDescending: boolean; limit: number; offset: number },
): Promise<GroupedEvents> {
  checkLimit(by.limit);
  return await readGroups(ctx, question, by);
}

/** As `groupExploredEvents`, of as many groups as asked. */
export async function readGroups(
  ctx: Context,
  question: Question,
  by: { field: string; sort: GroupSort; isDescending: boolean; limit: number; offset: number },
): Promise<GroupedEvents> {
  if (!GROUP_SORTS.includes(by.sort)) {
    throw invalid(`Groups cannot be sorted by "${by.sort}": choose one of ${GROUP_SORTS.join(', ')}`, 'sort');
  }
  if (!Number.isSafeInteger(by.offset) || by.offset < 0 || by.offset > OFFSET_MAX) {
    throw invalid(`At most ${OFFSET_MAX} values can be paged through: narrow the search`, 'offset');
  }
  const field = readGroupField(by.field);
  const { projects, scope, asked } = await openQuestion(ctx, question);
  const { groups, distinct } = await ctx.stores.eventExplore.groupBy(scope, asked, field, by);
  const slugs = new Map(projects.map((project) => [String(project.id), project.slug]));
  return {
    groups:
      field.kind === 'project'
        ? groups.map((group) => ({ ...group, value: slugs.get(group.value) ?? group.value }))
        : groups,
    distinct,
    hasMore: by.offset + groups.length < distinct,
  };
}

/** Which stored events somebody asks about. */
export type Question = {
  /** In the search's syntax; empty for every event. */
  query: string;
  /** Empty for all that are visible; so are the environments. */
  projectSlugs: readonly string[];
  environments: readonly string[];
  range: Range;
};

export type OpenQuestion = { projects: readonly Project[]; scope: EventScope; asked: AskedEvents };

/** Throws Invalid for a bad search or an empty range, NotFound for a project that is not visible. */
export async function openQuestion(ctx: Context, question: Question): Promise<OpenQuestion> {
  requireRight(ctx, 'event:read');
  checkRange(question.range);
  const projects = await selectProjects(ctx, question.projectSlugs);
  const { expression = EVERYTHING } = await openEventSearch(
    ctx,
    question.query,
    projects,
    question.environments,
  );
  return {
    projects,
    scope: eventScope(ctx, projects),
    asked: { range: question.range, expression },
  };
}
