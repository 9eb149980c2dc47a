import { z } from 'zod';
import { invalid } from '#lib/errors.ts';
import { MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { checkLimit, decodeCursor, encodeCursor } from '#product/cursor.ts';
import { checkRange, chooseBucketMs, inRoundBuckets, type Range } from '#product/time-buckets.ts';
import type { AskedField, RowGroup, RowOrder, RowSeries, SampledRow } from '#storage/ports/explore-rows.ts';
import type { SavedQuestion } from '#storage/ports/saved-question.ts';
import { openRows } from './open-rows.ts';
import { type ExploreDataset, readRowField } from './row-fields.ts';
import { isFunction, plainFunctionName, type RowFunction, readFunction } from './row-functions.ts';

/** Which stored rows somebody asks about; of rows other than errors `within` is a search that must hold as well. */
export type RowQuestion = Parameters<typeof openRows>[1];

export type GroupedRows = {
  functions: readonly RowFunction[];
  /** Projects by slug. */
  groups: readonly RowGroup[];
  /** How many groups there are in all. */
  distinct: number;
  hasMore: boolean;
  /** Titles by short id, when it is grouped by issue. */
  issueTitles: ReadonlyMap<string, string>;
};

const GROUP_FIELDS_MAX = 10;
const FUNCTIONS_MAX = 10;
/** Groups further down than this are reached by a narrower search. */
const OFFSET_MAX = 10_000;

export type Grouping = {
  groupBy: readonly string[];
  functions: readonly string[];
  /** A function or a field of the grouping, with - in front for the largest first; the first function by default. */
  sort: string | null;
};

/** Numbers over the rows of each group. Throws Invalid and NotFound. */
export async function groupRows(
  ctx: Context,
  question: RowQuestion,
  by: Grouping & { limit: number; offset: number },
): Promise<GroupedRows> {
  checkLimit(by.limit);
  return await readRowGroups(ctx, question, by);
}

/** As `groupRows`, of as many groups as asked. */
export async function readRowGroups(
  ctx: Context,
  question: RowQuestion,
  by: Grouping & { limit: number; offset: number },
): Promise<GroupedRows> {
  if (!Number.isSafeInteger(by.offset) || by.offset < 0 || by.offset > OFFSET_MAX) {
    throw invalid(`At most ${OFFSET_MAX} groups can be paged through: narrow the search`, 'offset');
  }
  const { fields: read, functions, order } = readGrouping(question.dataset, by);
  const opened = await openRows(ctx, question);
  const fields = await opened.withStandIns(read);
  const seconds = (question.range.toMs - question.range.fromMs) / SECOND_MS;
  const { groups, distinct } = await ctx.stores.rowExplore.aggregate(opened.scope, opened.asked, {
    groupBy: fields,
    aggregates: functions.map((each) => each.over(seconds)),
    order,
    limit: by.limit,
    offset: by.offset,
  });
  const named = await opened.withNames(fields, groups);
  const issueAt = fields.findIndex(({ kind }) => kind === 'grouping');
  return {
    functions,
    groups: named,
    issueTitles:
      issueAt === -1
        ? new Map()
        : await ctx.stores.issues.findTitles(
            ctx.organization.id,
            named.map(({ keys }) => keys[issueAt] ?? ''),
          ),
    distinct,
    hasMore: by.offset + groups.length < distinct,
  };
}

/** Lines of one chart. */
const TOP_MAX = 10;

export type ChartedRows = {
  functions: readonly RowFunction[];
  /** The range itself, counted in buckets that begin at round times. */
  range: Range & { bucketsFromMs: number };
  bucketMs: number;
  /** Of the first groups in the order of the grouping; one without keys when nothing is grouped by. Projects by slug. */
  series: readonly RowSeries[];
};

/** Numbers over time, of the largest groups. Throws Invalid and NotFound. */
export async function chartRows(
  ctx: Context,
  question: RowQuestion,
  by: Grouping & { top: number; bucketMs?: number },
): Promise<ChartedRows> {
  const bucketMs = by.bucketMs ?? chooseBucketMs(question.range);
  checkRange(question.range, bucketMs);
  if (!Number.isSafeInteger(by.top) || by.top < 1 || by.top > TOP_MAX) {
    throw invalid(`A chart can have at most ${TOP_MAX} lines`, 'topEvents');
  }
  const { fields: named, functions, order } = readGrouping(question.dataset, by);
  const range = inRoundBuckets(question.range, bucketMs, ctx.now());
  const { scope, asked, withStandIns, withNames } = await openRows(ctx, { ...question, range });
  const fields = await withStandIns(named);
  const seconds = (question.range.toMs - question.range.fromMs) / SECOND_MS;
  const { groups } =
    fields.length === 0
      ? { groups: [{ keys: [] }] }
      : await ctx.stores.rowExplore.aggregate(scope, asked, {
          groupBy: fields,
          aggregates: functions.map((each) => each.over(seconds)),
          order,
          limit: by.top,
          offset: 0,
        });
  const series = await ctx.stores.rowExplore.series(scope, asked, {
    groupBy: fields,
    groups: groups.map(({ keys }) => keys),
    aggregates: functions.map((each) => each.over(bucketMs / SECOND_MS)),
    fromMs: range.bucketsFromMs,
    bucketMs,
  });
  return {
    functions,
    range,
    bucketMs,
    series: await withNames(fields, series),
  };
}

function readGrouping(dataset: ExploreDataset, { groupBy, functions, sort }: Grouping) {
  if (groupBy.length > GROUP_FIELDS_MAX) {
    throw invalid(`Group by at most ${GROUP_FIELDS_MAX} fields`, 'field');
  }
  if (functions.length === 0 || functions.length > FUNCTIONS_MAX) {
    throw invalid(`Choose from 1 to ${FUNCTIONS_MAX} functions, such as count()`, 'field');
  }
  const read = functions.map((each) => readFunction(dataset, each));
  const isDescending = sort === null || sort.startsWith('-');
  const name = sort?.replace(/^-/, '') ?? functions[0] ?? '';
  const key = groupBy.indexOf(name);
  const aggregate = functions.findIndex((each) => each === name || plainFunctionName(each) === name);
  if (key === -1 && aggregate === -1) {
    throw invalid(`"${name.slice(0, 80)}" is not in the table: sort by one of its columns`, 'sort');
  }
  return {
    fields: groupBy.map((each) => readRowField(dataset, each)),
    functions: read,
    order: { by: key === -1 ? { aggregate } : { key }, isDescending },
  };
}

export type ListedRow = SampledRow & {
  projectSlug: string;
  /** Of an error, whose issue it is; null when the issue is gone. */
  shortId: string | null;
};

const LISTED_FIELDS_MAX = 20;

/** Rows with the values of fields; the place of a row in a list by time is its time and id. */
const PLACE = z.union([
  z.object({ atUs: z.number().int(), id: z.string().max(64) }),
  z.object({ offset: z.number().int().min(0).max(OFFSET_MAX) }),
]);

/** One page of rows, with a text for each field. `sort` is `timestamp` or a field, with - in front for descending. */
export async function listRows(
  ctx: Context,
  question: RowQuestion,
  page: { fields: readonly string[]; sort: string; limit: number; cursor: string | null },
): Promise<{ rows: readonly ListedRow[]; nextCursor: string | null }> {
  checkLimit(page.limit);
  return await readList(ctx, question, page);
}

async function readList(
  ctx: Context,
  question: RowQuestion,
  page: { fields: readonly string[]; sort: string; limit: number; cursor: string | null },
): Promise<{ rows: readonly ListedRow[]; nextCursor: string | null }> {
  const place = decodeCursor(page.cursor, PLACE);
  const { dataset } = question;
  const order = readOrder(dataset, page.sort);
  const fields = readFields(dataset, page.fields);
  const shown = fields.filter((field) => field !== null);
  const asked = dataset === 'errors' ? [...shown, readRowField(dataset, 'issue')] : shown;
  const opened = await openRows(ctx, question);
  const offset = place && 'offset' in place ? place.offset : 0;
  const { rows, hasMore } = await ctx.stores.rowExplore.sample(opened.scope, opened.asked, {
    fields: asked,
    order,
    limit: page.limit,
    after: place && 'atUs' in place ? place : null,
    offset,
  });
  const last = rows.at(-1);
  const next =
    order.by === 'time' ? last && { atUs: last.occurredAtUs, id: last.id } : { offset: offset + rows.length };
  const named = await opened.withNames(
    asked,
    rows.map(({ values }) => ({ keys: values })),
  );
  return {
    rows: rows.map((row, index) => {
      const { keys } = named[index]!;
      const values = keys[Symbol.iterator]();
      return {
        ...row,
        projectSlug: opened.slugOf(row.projectId),
        shortId: (dataset === 'errors' && keys.at(-1)) || null,
        values: fields.map((field) => (field === null ? timeOf(row) : (values.next().value ?? ''))),
      };
    }),
    nextCursor: hasMore && next ? encodeCursor(next) : null,
  };
}

/** Rows of one look at what is new. */
export const TAIL_ROWS_MAX = 1_000;
/** Rows may arrive out of order by so much and are still seen. */
const TAIL_OVERLAP_MS = 10_000;

/**
 * Rows since a moment, and a little before it for what arrived late, oldest first: who follows drops what is there already.
 * `isCut` when there were more: these are the newest.
 */
export async function tailRows(
  ctx: Context,
  question: Omit<RowQuestion, 'range'>,
  { fields, sinceMs }: { fields: readonly string[]; sinceMs: number },
): Promise<{ rows: readonly ListedRow[]; isCut: boolean }> {
  const nowMs = ctx.now();
  // Clocks of programs may be ahead.
  const range = { fromMs: Math.min(sinceMs, nowMs) - TAIL_OVERLAP_MS, toMs: nowMs + MINUTE_MS };
  const { rows, nextCursor } = await readList(
    ctx,
    { ...question, range },
    {
      fields,
      sort: '-timestamp',
      limit: TAIL_ROWS_MAX,
      cursor: null,
    },
  );
  return { rows: rows.toReversed(), isCut: nextCursor !== null };
}

/** Throws Invalid for what rows could not be shown with. */
export function checkTable(
  dataset: ExploreDataset,
  { view, fields, groupBy, functions, sort }: SavedQuestion,
): void {
  readGrouping(dataset, { groupBy, functions, sort: view === 'groups' ? sort : null });
  readFields(dataset, fields);
  if (view === 'samples' && sort !== null) readOrder(dataset, sort);
}

/** null for what every row has. Throws Invalid. */
function readFields(dataset: ExploreDataset, names: readonly string[]): readonly (AskedField | null)[] {
  if (names.length > LISTED_FIELDS_MAX) {
    throw invalid(`Request at most ${LISTED_FIELDS_MAX} fields`, 'field');
  }
  return names.map((name) => (isOfEveryRow(name) ? null : readRowField(dataset, name)));
}

const isOfEveryRow = (name: string): boolean => name === 'timestamp' || name === 'timestamp_precise';
const timeOf = ({ occurredAtUs }: SampledRow): string => new Date(occurredAtUs / 1_000).toISOString();

function readOrder(dataset: ExploreDataset, sort: string): RowOrder {
  const name = sort.replace(/^-/, '');
  if (isFunction(name)) throw invalid('Rows are sorted by a field, not by a function', 'sort');
  return {
    by: isOfEveryRow(name) ? 'time' : readRowField(dataset, name),
    isDescending: sort.startsWith('-'),
  };
}
