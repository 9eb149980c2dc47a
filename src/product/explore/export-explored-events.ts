import type { Context } from '#product/context.ts';
import type { GroupSort } from '#storage/ports/event-explore.ts';
import { readColumns } from './explore-fields.ts';
import { type EventOrder, openQuestion, type Question, readGroups, readRows } from './explored-events.ts';

/** Rows of one export; a narrower question gives the rest. */
export const EXPORT_ROWS_MAX = 10_000;
const ROWS_PER_READ = 1_000;

/** A table as texts. */
export type ExportedTable = { head: readonly string[]; rows: AsyncIterable<readonly string[]> };

/** Events as a table of at most `EXPORT_ROWS_MAX` rows, read in batches. Throws as `listExploredEvents`. */
export async function exportExploredEvents(
  ctx: Context,
  question: Question,
  table: { columns: readonly string[]; order: EventOrder },
): Promise<ExportedTable> {
  const columns = readColumns(table.columns);
  const opened = await openQuestion(ctx, question);
  const first = await readRows(ctx, opened, columns, { ...table, limit: ROWS_PER_READ, after: null });
  return { head: ['event', 'title', ...columns.map((column) => column.name)], rows: readAll() };

  async function* readAll() {
    let part = first;
    for (let count = 0; ; ) {
      for (const row of part.rows) yield [row.eventId, row.title, ...row.cells];
      count += part.rows.length;
      if (part.next === null || count >= EXPORT_ROWS_MAX) return;
      part = await readRows(ctx, opened, columns, { ...table, limit: ROWS_PER_READ, after: part.next });
    }
  }
}

/** Groups of a question as a table, at most `EXPORT_ROWS_MAX`. Throws as `groupExploredEvents`. */
export async function exportGroups(
  ctx: Context,
  question: Question,
  by: { field: string; sort: GroupSort; isDescending: boolean },
): Promise<ExportedTable> {
  const { groups } = await readGroups(ctx, question, { ...by, limit: EXPORT_ROWS_MAX, offset: 0 });
  return { head: [by.field, 'events', 'users', 'first_seen', 'last_seen'], rows: rowsOf() };

  async function* rowsOf() {
    for (const group of groups) {
      yield [
        group.value,
        String(group.events),
        String(group.users),
        new Date(group.firstSeen).toISOString(),
        new Date(group.lastSeen).toISOString(),
      ];
    }
  }
}
