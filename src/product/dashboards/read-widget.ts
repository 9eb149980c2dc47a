import type { Widget } from '#domain/dashboards/dashboard.ts';
import { issueSortOf, linesOfEach, queriesOf } from '#domain/dashboards/widget-queries.ts';
import { limitConcurrency } from '#lib/limit-concurrency.ts';
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
import { type IssueRow, listIssues } from '#product/issues/list-issues.ts';
import { asOneTerm } from '#product/search/syntax/as-one-term.ts';
import type { Range } from '#product/time-buckets.ts';
import { questionOf } from './widget-question.ts';

/** What a widget shows. `before` is the number of the period of the same length that ends where this one begins. */
export type WidgetData =
  | { kind: 'text' }
  /** In the order of the queries of the widget. */
  | { kind: 'chart'; charts: readonly QueryChart[] }
  | { kind: 'number'; totals: GroupedRows; before: GroupedRows }
  | { kind: 'table'; table: GroupedRows; totals: GroupedRows }
  | { kind: 'list'; rows: readonly ListedRow[] }
  /** With their events of the range. */
  | { kind: 'issues'; issues: readonly IssueRow[] };

/** The lines of one query, and its numbers over the whole time. */
export type QueryChart = { chart: ChartedRows; totals: GroupedRows };

/** Queries of one chart that are asked at the same time. */
const QUERIES_AT_ONCE = 2;

/** What a reader of a dashboard narrows every widget to; `terms` belong to each search. */
export type WidgetPlace = {
  projectSlugs: readonly string[];
  environments: readonly string[];
  range: Range;
  terms: readonly string[];
};

/** Answers a widget. Throws Invalid and NotFound as the questions of Explore. */
export async function readWidget(ctx: Context, widget: Widget, place: WidgetPlace): Promise<WidgetData> {
  if (widget.display === 'text') return { kind: 'text' };
  if (widget.display === 'issues') return { kind: 'issues', issues: await readIssues(ctx, widget, place) };
  const { groupBy, functions, fields, sort } = questionOf(widget);
  const question = rowQuestionOf(widget, widget.query, place);
  const total = (asked: RowQuestion) =>
    groupRows(ctx, asked, { groupBy: [], functions, sort: null, limit: 1, offset: 0 });
  switch (widget.display) {
    case 'number': {
      const { fromMs, toMs } = question.range;
      const earlier = { fromMs: Math.max(0, fromMs - (toMs - fromMs)), toMs: fromMs };
      const [totals, before] = await Promise.all([total(question), total({ ...question, range: earlier })]);
      return { kind: 'number', totals, before };
    }
    case 'table': {
      const asked = { groupBy, functions, sort, limit: widget.limit, offset: 0 };
      const [table, totals] = await Promise.all([groupRows(ctx, question, asked), total(question)]);
      return { kind: 'table', table, totals };
    }
    case 'list': {
      const page = { fields, sort: sort ?? '-timestamp', limit: widget.limit, cursor: null };
      return { kind: 'list', rows: (await listRows(ctx, question, page)).rows };
    }
    default: {
      const top = linesOfEach(widget);
      const read = limitConcurrency(async (query: string): Promise<QueryChart> => {
        const asked = rowQuestionOf(widget, query, place);
        const [chart, totals] = await Promise.all([
          chartRows(ctx, asked, { groupBy, functions, sort, top }),
          total(asked),
        ]);
        return { chart, totals };
      }, QUERIES_AT_ONCE);
      return { kind: 'chart', charts: await Promise.all(queriesOf(widget).map(({ query }) => read(query))) };
    }
  }
}

async function readIssues(
  ctx: Context,
  { query, sort, limit }: Widget,
  { terms, ...place }: WidgetPlace,
): Promise<readonly IssueRow[]> {
  const asked = { ...place, query: narrowed(query, terms), sort: issueSortOf(sort), cursor: null, limit };
  return (await listIssues(ctx, asked)).issues;
}

/** The rows that a query of a widget is about. */
const rowQuestionOf = (
  { dataset }: Widget,
  query: string,
  { terms, ...place }: WidgetPlace,
): RowQuestion => ({
  dataset,
  query: narrowed(query, terms),
  ...place,
});

/** A search to which the terms belong as well. */
export function narrowed(query: string, terms: readonly string[]): string {
  if (terms.length === 0) return query;
  return [asOneTerm(query), ...terms].filter((part) => part !== '').join(' ');
}
