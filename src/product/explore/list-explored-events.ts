import type { Context } from '#product/context.ts';
import { decodeCursor, encodeCursor } from '#product/cursor.ts';
import { EVENT_PLACE } from '#product/events/event-place.ts';
import { checkLimit } from '#product/page-limit.ts';
import type { ExploredEvent, ExploredPlace } from '#storage/ports/event-explore.ts';
import { type ExploreColumn, readColumns } from './explore-column.ts';
import { type OpenQuestion, openQuestion, type Question } from './open-question.ts';

export type EventOrder = 'newest' | 'oldest';

/** One event as a row; `cells` has a text for each column, empty for what the event does not have. */
export type ExploredRow = {
  eventId: string;
  projectSlug: string;
  /** null when the issue is gone. */
  shortId: string | null;
  title: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  cells: readonly string[];
};

/**
 * Events of a question with the chosen columns, named as a search names fields. Throws as `openQuestion`, and Invalid
 * for a column that cannot be shown, or when it takes too long.
 */
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
