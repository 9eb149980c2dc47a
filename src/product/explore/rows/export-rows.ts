import type { Context } from '#product/context.ts';
import { PAGE_ROWS_MAX } from '#product/cursor.ts';
import { listRows, type RowQuestion, readRowGroups } from './explored-rows.ts';

/** Rows of one export; a narrower question gives the rest. */
export const EXPORT_ROWS_MAX = 10_000;

/** A table as texts. */
export type ExportedTable = { head: readonly string[]; rows: AsyncIterable<readonly string[]> };

/** Rows as a table of at most `EXPORT_ROWS_MAX`, read page by page. Throws as `listRows`. */
export async function exportRows(
  ctx: Context,
  question: RowQuestion,
  table: { fields: readonly string[]; sort: string },
): Promise<ExportedTable> {
  const page = { ...table, limit: PAGE_ROWS_MAX };
  const first = await listRows(ctx, question, { ...page, cursor: null });
  return { head: ['id', 'trace', ...table.fields], rows: readAll() };

  async function* readAll() {
    let part = first;
    for (let count = 0; ; ) {
      for (const row of part.rows) yield [row.id, row.traceId ?? '', ...row.values];
      count += part.rows.length;
      if (part.nextCursor === null || count >= EXPORT_ROWS_MAX) return;
      part = await listRows(ctx, question, { ...page, cursor: part.nextCursor });
    }
  }
}

/** Groups as a table, at most `EXPORT_ROWS_MAX`; moments in ISO 8601. Throws as `groupRows`. */
export async function exportRowGroups(
  ctx: Context,
  question: RowQuestion,
  by: { groupBy: readonly string[]; functions: readonly string[]; sort: string },
): Promise<ExportedTable> {
  const { groups, functions } = await readRowGroups(ctx, question, {
    ...by,
    limit: EXPORT_ROWS_MAX,
    offset: 0,
  });
  return { head: [...by.groupBy, ...functions.map(({ name }) => name)], rows: rowsOf() };

  async function* rowsOf() {
    for (const { keys, values } of groups) {
      yield [
        ...keys,
        ...values.map((value, index) => {
          if (value === null) return '';
          return functions[index]?.type === 'date' ? new Date(value).toISOString() : String(value);
        }),
      ];
    }
  }
}
