import type { Context } from '#product/context.ts';
import {
  type ChartedRows,
  chartRows,
  type GroupedRows,
  groupRows,
} from '#product/explore/rows/explored-rows.ts';
import { type PerformanceQuestion, spansOf } from './performance-search.ts';
import { PERFORMANCE_TABLES, type PerformanceModule, type PerformanceTable } from './performance-tables.ts';

export type PerformancePage = {
  /** A function or a field of the table, with - in front for the largest first; null for the usual order. */
  sort: string | null;
  limit: number;
  offset: number;
};

export type PerformanceList = {
  /** Keys as `groupBy` of the table, values as its columns. */
  table: GroupedRows;
  trend: ChartedRows;
};

/** Of a trend, in this order: how many, two percentiles of durations, the share of failures. */
export const TREND_FUNCTIONS = ['count()', 'p50(span.duration)', 'p95(span.duration)', 'failure_rate()'];

/** Each transaction of each project, with all of them over time. Throws Invalid and NotFound. */
export const listTransactions = async (
  ctx: Context,
  question: PerformanceQuestion,
  page: PerformancePage,
): Promise<PerformanceList> => await listSpans(ctx, question, PERFORMANCE_TABLES.transactions, page);

/** Queries, outgoing requests, caches or queues, with all of them over time. Throws Invalid and NotFound. */
export const listModule = async (
  ctx: Context,
  question: PerformanceQuestion,
  module: PerformanceModule,
  page: PerformancePage,
): Promise<PerformanceList> => await listSpans(ctx, question, PERFORMANCE_TABLES[module], page);

async function listSpans(
  ctx: Context,
  question: PerformanceQuestion,
  { within, groupBy, columns, sort }: PerformanceTable,
  page: PerformancePage,
): Promise<PerformanceList> {
  const asked = spansOf(question, within);
  const [table, trend] = await Promise.all([
    groupRows(ctx, asked, {
      groupBy: groupBy.map(({ field }) => field),
      functions: columns.map(({ fn }) => fn),
      ...page,
      sort: page.sort ?? sort,
    }),
    readTrend(ctx, question, within),
  ]);
  return { table, trend };
}

/** `TREND_FUNCTIONS` over time, as one series. */
export const readTrend = async (
  ctx: Context,
  question: PerformanceQuestion,
  within: string,
): Promise<ChartedRows> =>
  await chartRows(ctx, spansOf(question, within), {
    groupBy: [],
    functions: TREND_FUNCTIONS,
    sort: null,
    top: 1,
  });
