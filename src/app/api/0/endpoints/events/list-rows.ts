import { readOffset, writeOffset } from '#app/api/0/offset-cursor.ts';
import type { Context } from '#product/context.ts';
import { PAGE_ROWS_MAX } from '#product/cursor.ts';
import { groupRows, type ListedRow, listRows } from '#product/explore/rows/explored-rows.ts';
import { isFunction, plainFunctionName, readFunction } from '#product/explore/rows/row-functions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { type EventsDataset, rowsOf } from './events-dataset.ts';
import type { TableQuestion } from './events-question.ts';
import {
  type Cell,
  type Column,
  type ColumnMeta,
  columnNamed,
  describeColumns,
  functionCell,
  functionMeta,
  isOfEveryRow,
  OF_EVERY_ROW,
} from './table-columns.ts';

export type TablePage = {
  rows: readonly Readonly<Record<string, Cell>>[];
  /** Types of the columns, by name; units are null where there is none. */
  fields: Readonly<Record<string, string>>;
  units: Readonly<Record<string, string | null>>;
  nextCursor: string | null;
};

/** Which columns and rows of a table; `sort` is null where the request has none. */
export type PageRequest = {
  names: readonly string[];
  sort: string | null;
  limit: number;
  cursor: string | null;
};

/** Numbers over the groups that the fields without a function make, largest first. Throws Invalid and NotFound. */
export async function listGroups(
  ctx: Context,
  dataset: EventsDataset,
  question: TableQuestion,
  { names, sort, limit, cursor }: PageRequest,
): Promise<TablePage> {
  const rows = rowsOf(dataset, names);
  const columns = await columnsNamed(
    ctx,
    dataset,
    names.filter((name) => !isFunction(name)),
  );
  const shown = names.filter(isFunction);
  const order = orderOf(dataset, sort, columns, shown);
  const offset = readOffset(cursor);
  const { groups, functions, hasMore } = await groupRows(
    ctx,
    { ...question, ...rows },
    {
      groupBy: columns.map(({ field }) => field),
      functions: [...shown, ...order.hidden],
      sort: order.sort,
      limit: Math.min(limit, PAGE_ROWS_MAX),
      offset,
    },
  );
  const visible = functions.slice(0, shown.length);
  return {
    rows: groups.map(({ keys, values }) =>
      Object.fromEntries([
        ...columns.map(({ name, read }, index) => [name, read(keys[index] ?? '')] as const),
        ...visible.map((each, index) => [each.name, functionCell(each, values[index] ?? null)] as const),
      ]),
    ),
    ...describeColumns([...columns, ...visible.map((each) => ({ name: each.name, ...functionMeta(each) }))]),
    nextCursor: hasMore ? writeOffset(offset + groups.length) : null,
  };
}

/** What groups are sorted by; functions that are not in the table are counted, too, and not shown. */
export function orderOf(
  dataset: EventsDataset,
  sort: string | null,
  columns: readonly Column[],
  shown: readonly string[],
): { sort: string | null; hidden: readonly string[] } {
  const sign = sort?.startsWith('-') ? '-' : '';
  const name = sort?.replace(/^-/, '') ?? '';
  const hidden = (by: string) => ({ sort: `${sign}${by}`, hidden: [by] });
  // A list of a metric's names, say, has nothing to be sorted by but how many rows each has.
  if (name === '')
    return shown.length === 0 ? { sort: '-count()', hidden: ['count()'] } : { sort: null, hidden: [] };
  const column = columns.find((each) => each.name === name);
  if (column) return { sort: `${sign}${column.field}`, hidden: [] };
  if (shown.some((each) => each === name || plainFunctionName(each) === name)) return { sort, hidden: [] };
  // What lists are sorted by when nobody says otherwise; a group has it as the time of its newest row.
  if (name === 'timestamp') return hidden('last_seen()');
  const written = isFunction(name) ? name : name === 'count_unique_user' ? 'count_unique(user)' : `${name}()`;
  readFunction(rowsOf(dataset, []).dataset, written);
  return hidden(written);
}

/** Rows of spans, logs or metrics with the requested fields. Throws Invalid and NotFound. */
export async function listSampledRows(
  ctx: Context,
  dataset: EventsDataset,
  question: TableQuestion,
  { names, sort, limit, cursor }: PageRequest,
): Promise<TablePage> {
  const columns = await columnsNamed(
    ctx,
    dataset,
    names.filter((name) => !isOfEveryRow(name)),
  );
  const byName = new Map(columns.map((column, index) => [column.name, { column, index }]));
  const sorted = sort || '-timestamp';
  const by = byName.get(sorted.replace(/^-/, ''))?.column;
  const { rows, nextCursor } = await readPages(limit, cursor, (page) =>
    listRows(
      ctx,
      { ...question, ...rowsOf(dataset, [], question.within) },
      {
        ...page,
        fields: columns.map(({ field }) => field),
        sort: by ? `${sorted.startsWith('-') ? '-' : ''}${by.field}` : sorted,
      },
    ),
  );
  return {
    rows: rows.map((row) =>
      Object.fromEntries(
        names.map((name) => {
          const found = byName.get(name);
          const cell = found
            ? found.column.read(row.values[found.index] ?? '')
            : (OF_EVERY_ROW[name]?.read(row) ?? null);
          return [name, cell];
        }),
      ),
    ),
    ...describeColumns(names.map((name) => ({ name, ...metaOf(name) }))),
    nextCursor,
  };

  function metaOf(name: string): ColumnMeta {
    const column = byName.get(name)?.column;
    return column
      ? { type: column.type, unit: column.unit }
      : { type: OF_EVERY_ROW[name]?.type ?? 'string', unit: null };
  }
}

/** One page as large as requested, which may be more than what is read at once. */
async function readPages(
  limit: number,
  cursor: string | null,
  read: (page: {
    limit: number;
    cursor: string | null;
  }) => Promise<{ rows: readonly ListedRow[]; nextCursor: string | null }>,
): Promise<{ rows: readonly ListedRow[]; nextCursor: string | null }> {
  const rows: ListedRow[] = [];
  let next = cursor;
  do {
    const page = await read({ limit: Math.min(PAGE_ROWS_MAX, limit - rows.length), cursor: next });
    rows.push(...page.rows);
    next = page.nextCursor;
  } while (next !== null && rows.length < limit);
  return { rows, nextCursor: next };
}

export async function columnsNamed(
  ctx: Context,
  dataset: EventsDataset,
  names: readonly string[],
): Promise<readonly Column[]> {
  const projects = names.includes('project.id') ? await listVisibleProjects(ctx) : [];
  const ids = new Map(projects.map(({ slug, id }) => [slug, id]));
  return names.map((name) => columnNamed(dataset, name, (slug) => ids.get(slug) ?? null));
}
