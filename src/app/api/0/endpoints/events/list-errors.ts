import {
  type AggregateField,
  isAggregate,
  type PlainField,
  readAggregate,
  readGroupName,
  readPlainField,
} from '#app/api/0/endpoints/events/error-field.ts';
import { ENVIRONMENTS, PROJECTS, type QueryValues, RANGE, SEARCH, text, texts } from '#app/api/0/query.ts';
import { invalid } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import { DAY_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import {
  countExploredEvents,
  groupExploredEvents,
  listExploredEvents,
  type Question,
} from '#product/explore/explored-events.ts';
import type { Range } from '#product/time-buckets.ts';
import type { GroupSort } from '#storage/ports/event-explore.ts';

const FIELDS_MAX = 20;
const FIELDS_DEFAULT = ['id', 'title', 'issue', 'project', 'timestamp'];
const PERIOD_MS = 90 * DAY_MS;
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

/** Parameters of a table of events. */
export const TABLE_QUESTION = {
  ...RANGE,
  ...PROJECTS,
  ...ENVIRONMENTS,
  sort: text('Field to sort by; prefix with - for descending order'),
  orderby: text('The same as sort'),
  ...SEARCH,
  field: texts('Names of the fields to return'),
};

export const readFieldNames = (requested: readonly string[]): readonly string[] => {
  const names = requested.filter((name) => name !== '');
  if (names.length > FIELDS_MAX) throw invalid(`Request at most ${FIELDS_MAX} fields`, 'field');
  return names.length === 0 ? FIELDS_DEFAULT : [...new Set(names)];
};

/** Throws Invalid for fields and sorts that there are not, and for more than one field to group by. */
export function readErrorsTable(names: readonly string[], sort: string): ErrorsTable {
  const aggregates = names.filter(isAggregate).map(readAggregate);
  const plain = names.filter((name) => !isAggregate(name));
  if (aggregates.length === 0) {
    if (sort !== '-timestamp' && sort !== 'timestamp') {
      throw invalid('Sort events by timestamp or -timestamp (newest first)', 'sort');
    }
    return {
      kind: 'rows',
      fields: plain.map(readPlainField),
      order: sort === 'timestamp' ? 'oldest' : 'newest',
    };
  }
  const [name, ...others] = plain;
  if (others.length > 0) {
    throw invalid(
      `Events can be grouped by only one field at a time: request ${name} or another field`,
      'field',
    );
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
  query: QueryValues<typeof TABLE_QUESTION> & { limit: number },
  cursor: string | null,
): Promise<TablePage> {
  const table = readErrorsTable(readFieldNames(query.field), query.sort || query.orderby || SORT_DEFAULT);
  const question = {
    query: query.search ?? '',
    projectSlugs: query.projectSlugs,
    environments: query.environments,
    range: query.range ?? defaultRange(ctx),
  };
  const page = { limit: query.limit, cursor };
  if (table.kind === 'rows') return listRows(ctx, question, table, page);
  return table.by === null
    ? countAll(ctx, question, table.aggregates)
    : listGroups(ctx, question, { ...table, by: table.by }, page);
}

/** What a question is about that names no range. */
export function defaultRange(ctx: Context): Range {
  const nowMs = ctx.now();
  return { fromMs: nowMs - PERIOD_MS, toMs: nowMs };
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
  if (timed) throw invalid(`"${timed.name}" needs another field to group events by`, 'field');
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
  throw invalid('The cursor does not belong to this list: start again without a cursor', 'cursor');
}

export type EventsDataset = 'errors' | 'logs';

/** Sentry's names of what a table of events can be made of here. */
const DATASETS: Readonly<Record<string, EventsDataset>> = {
  errors: 'errors',
  discover: 'errors',
  logs: 'logs',
  ourlogs: 'logs',
};

/** Errors when none is named. Throws Invalid. */
export function readDataset(requested: string | null): EventsDataset {
  const name = requested || 'errors';
  const dataset = ownValue(DATASETS, name);
  if (dataset) return dataset;
  throw invalid(
    `Dataset "${name.slice(0, 40)}" is not supported: use errors or logs; spans, replays, and metrics have separate endpoints`,
    'dataset',
  );
}
