import type { Context } from '#product/context.ts';
import {
  type ChartedRows,
  chartRows,
  type GroupedRows,
  groupRows,
  type ListedRow,
  listRows,
  type RowQuestion,
} from '#product/explore/rows/explored-rows.ts';
import type { Range } from '#product/time-buckets.ts';
import { type QuestionProblem, readAnswer } from '../../question/read-answer.ts';
import { ROWS_PER_PAGE, type RowsState, sortOf } from './rows-state.ts';

/** Numbers over all rows and over time; `before` is of the period of the same length that ends where it begins. */
export type RowsSummary = {
  totals: GroupedRows;
  chart: ChartedRows;
  before: { totals: GroupedRows; chart: ChartedRows } | null;
};

export type RowsAnswer =
  | { kind: 'samples'; summary: RowsSummary; rows: readonly ListedRow[]; nextCursor: string | null }
  | { kind: 'groups'; summary: RowsSummary; table: GroupedRows }
  | QuestionProblem;

/** Lines of the chart. */
const TOP = 5;

/** `fields` are those that rows are read with. */
export async function readRows(
  ctx: Context,
  question: RowQuestion,
  state: RowsState,
  fields: readonly string[],
): Promise<RowsAnswer> {
  const answer = await readAnswer(
    state.view === 'samples' ? readSamples(ctx, question, state, fields) : readTable(ctx, question, state),
  );
  return answer.kind === 'found' ? answer.value : answer;
}

async function readSamples(
  ctx: Context,
  question: RowQuestion,
  state: RowsState,
  fields: readonly string[],
): Promise<RowsAnswer> {
  const [summary, page] = await Promise.all([
    readSummary(ctx, question, state, []),
    listRows(ctx, question, {
      fields,
      sort: sortOf(state),
      limit: ROWS_PER_PAGE,
      cursor: state.cursor,
    }),
  ]);
  return { kind: 'samples', summary, ...page };
}

async function readTable(ctx: Context, question: RowQuestion, state: RowsState): Promise<RowsAnswer> {
  const { groupBy, functions, offset } = state;
  const [summary, table] = await Promise.all([
    readSummary(ctx, question, state, groupBy),
    groupRows(ctx, question, { groupBy, functions, sort: sortOf(state), limit: ROWS_PER_PAGE, offset }),
  ]);
  return { kind: 'groups', summary, table };
}

async function readSummary(
  ctx: Context,
  question: RowQuestion,
  { functions, isCompared }: RowsState,
  groupBy: readonly string[],
): Promise<RowsSummary> {
  const read = async (range: Range) => {
    const asked = { ...question, range };
    const [totals, chart] = await Promise.all([
      groupRows(ctx, asked, { groupBy: [], functions, sort: null, limit: 1, offset: 0 }),
      chartRows(ctx, asked, { groupBy, functions: functions.slice(0, 1), sort: null, top: TOP }),
    ]);
    return { totals, chart };
  };
  const { fromMs, toMs } = question.range;
  const [now, before] = await Promise.all([
    read(question.range),
    isCompared ? read({ fromMs: Math.max(0, fromMs - (toMs - fromMs)), toMs: fromMs }) : null,
  ]);
  return { ...now, before };
}
