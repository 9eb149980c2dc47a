import { readEnvironments, readRange } from '#app/api/0/read-parameters.ts';
import { invalid } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import {
  countExploredEvents,
  groupExploredEvents,
  listExploredEvents,
  type Question,
} from '#product/explore/explored-events.ts';
import type { GroupSort } from '#storage/ports/event-explore.ts';
import {
  type AggregateField,
  isAggregate,
  type PlainField,
  readAggregate,
  readGroupName,
  readPlainField,
} from './error-field.ts';

const FIELDS_MAX = 20;
const FIELDS_DEFAULT = ['id', 'title', 'issue', 'project', 'timestamp'];
const PERIOD_MS = 90 * 86_400_000;
const SORT_DEFAULT = '-timestamp';

/** What a request asks of errors: events in rows, or what is counted by the values of at most one field. */
export type ErrorsTable =
  | { kind: 'rows'; fields: readonly PlainField[]; order: 'newest' | 'oldest' }
  | {
      kind: 'groups';
      /** null counts all events together. */
      by: { name: string; field: string } | null;
      aggregates: readonly AggregateField[];
      sort: GroupSort;
      isDescending: boolean;
    };

type Row = Readonly<Record<string, string | number | null>>;
export type TablePage = {
  rows: readonly Row[];
  /** Types of the columns. */
  fields: Readonly<Record<string, string>>;
  nextCursor: string | null;
};

export const readFieldNames = (url: URL): readonly string[] => {
  const names = url.searchParams.getAll('field').filter((name) => name !== '');
  if (names.length > FIELDS_MAX) throw invalid(`Ask for at most ${FIELDS_MAX} fields`, 'field');
  return names.length === 0 ? FIELDS_DEFAULT : [...new Set(names)];
};

export const readTableSort = (url: URL): string =>
  url.searchParams.get('sort') || url.searchParams.get('orderby') || SORT_DEFAULT;

/** Throws Invalid for fields and sorts that there are not, and for more than one field to group by. */
export function readErrorsTable(names: readonly string[], sort: string): ErrorsTable {
  const aggregates = names.filter(isAggregate).map(readAggregate);
  const plain = names.filter((name) => !isAggregate(name));
  if (aggregates.length === 0) {
    if (sort !== '-timestamp' && sort !== 'timestamp') {
      throw invalid('Events are sorted by timestamp or -timestamp, the newest first', 'sort');
    }
    return {
      kind: 'rows',
      fields: plain.map(readPlainField),
      order: sort === 'timestamp' ? 'oldest' : 'newest',
    };
  }
  const [name, ...others] = plain;
  if (others.length > 0) {
    throw invalid(`Events are grouped by one field at a time: ask for ${name}, or for another`, 'field');
  }
  return {
    kind: 'groups',
    by: name === undefined ? null : { name, field: readGroupName(name) },
    aggregates,
    sort: readGroupSort(sort, name),
    isDescending: sort.startsWith('-'),
  };
}

/** As clients write it: `-count()`, `-count`, `-last_seen`, `release`. */
function readGroupSort(sort: string, by: string | undefined): GroupSort {
  const name = sort.replace(/^-/, '');
  if (name === by) return 'value';
  // What lists are sorted by when nobody says otherwise; a group has it as the time of its newest event.
  if (name === 'timestamp') return 'last';
  return readAggregate(
    isAggregate(name) ? name : name === 'count_unique_user' ? 'count_unique(user)' : `${name}()`,
  ).sort;
}

/** One page of the table. Throws Invalid and NotFound. */
export async function listErrors(
  ctx: Context,
  url: URL,
  page: { projectSlugs: readonly string[]; limit: number; cursor: string | null },
): Promise<TablePage> {
  const table = readErrorsTable(readFieldNames(url), readTableSort(url));
  const question = readQuestion(ctx, url, page.projectSlugs);
  if (table.kind === 'rows') return listRows(ctx, question, table, page);
  return table.by === null
    ? countAll(ctx, question, table.aggregates)
    : listGroups(ctx, question, { ...table, by: table.by }, page);
}

export function readQuestion(ctx: Context, url: URL, projectSlugs: readonly string[]): Question {
  const nowMs = ctx.now();
  return {
    query: url.searchParams.get('query') ?? '',
    projectSlugs,
    environments: readEnvironments(url),
    range: readRange(url, nowMs) ?? { fromMs: nowMs - PERIOD_MS, toMs: nowMs },
  };
}

async function listRows(
  ctx: Context,
  question: Question,
  { fields, order }: Extract<ErrorsTable, { kind: 'rows' }>,
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<TablePage> {
  const columns = [...new Set(fields.flatMap((field) => field.columns))];
  const { rows, nextCursor } = await listExploredEvents(ctx, question, { columns, order, limit, cursor });
  return {
    rows: rows.map((row) => {
      const cellOf = new Map(columns.map((column, index) => [column, row.cells[index] ?? '']));
      return Object.fromEntries(
        fields.map((field) => [
          field.name,
          field.read(
            row,
            field.columns.map((column) => cellOf.get(column) ?? ''),
          ),
        ]),
      );
    }),
    fields: Object.fromEntries(fields.map(({ name, type }) => [name, type])),
    nextCursor,
  };
}

async function countAll(
  ctx: Context,
  question: Question,
  aggregates: readonly AggregateField[],
): Promise<TablePage> {
  const timed = aggregates.find(({ type }) => type === 'date');
  if (timed) throw invalid(`"${timed.name}" needs a field beside it that events are grouped by`, 'field');
  const { events, users } = await countExploredEvents(ctx, question);
  return {
    rows: [
      Object.fromEntries(
        aggregates.map(({ name, read }) => [name, read({ events, users, firstSeen: 0, lastSeen: 0 })]),
      ),
    ],
    fields: Object.fromEntries(aggregates.map(({ name, type }) => [name, type])),
    nextCursor: null,
  };
}

async function listGroups(
  ctx: Context,
  question: Question,
  {
    by,
    aggregates,
    sort,
    isDescending,
  }: Extract<ErrorsTable, { kind: 'groups' }> & { by: { name: string; field: string } },
  { limit, cursor }: { limit: number; cursor: string | null },
): Promise<TablePage> {
  const offset = readOffset(cursor);
  const { groups, hasMore } = await groupExploredEvents(ctx, question, {
    field: by.field,
    sort,
    isDescending,
    limit,
    offset,
  });
  return {
    rows: groups.map((group) => ({
      [by.name]: group.value || null,
      ...Object.fromEntries(aggregates.map(({ name, read }) => [name, read(group)])),
    })),
    fields: Object.fromEntries([
      [by.name, 'string'],
      ...aggregates.map(({ name, type }) => [name, type] as const),
    ]),
    nextCursor: hasMore ? `0:${offset + groups.length}:0` : null,
  };
}

/** Groups are counted anew for each page, so its cursor is a number, written as Sentry writes cursors. */
function readOffset(cursor: string | null): number {
  if (cursor === null) return 0;
  const offset = /^0:(\d{1,6}):0$/.exec(cursor)?.[1];
  if (offset !== undefined) return Number(offset);
  throw invalid('The cursor is not one of this list: start again without a cursor', 'cursor');
}
