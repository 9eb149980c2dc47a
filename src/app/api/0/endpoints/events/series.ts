import { invalid } from '#lib/errors.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { chartRows } from '#product/explore/rows/explored-rows.ts';
import { isFunction } from '#product/explore/rows/row-functions.ts';
import { chooseBucketMs, type Range } from '#product/time-buckets.ts';
import { type EventsDataset, rowsOf } from './events-dataset.ts';
import type { TableQuestion } from './events-question.ts';
import { columnsNamed, orderOf } from './list-rows.ts';
import { type Cell, type ColumnMeta, functionMeta } from './table-columns.ts';

/** What a chart without a range is about. */
export const CHART_PERIOD_MS = DAY_MS;
const TOP_MAX = 10;
/** Finer charts than this are counted in larger buckets. */
const BUCKETS_MAX = 1_000;

export type Line = {
  /** The values that its rows have in common; empty when nothing is grouped by. */
  groupBy: readonly { key: string; value: Cell }[];
  /** Whether it is what the other lines leave. */
  isOther: boolean;
  /** Of each axis, one value per bucket; null where there is nothing to take it of. */
  values: readonly (readonly (number | null)[])[];
};

export type Chart = {
  range: Range;
  /** Start of the first bucket. */
  fromMs: number;
  bucketMs: number;
  axes: readonly (ColumnMeta & { name: string })[];
  /** In their order; one when nothing is grouped by. */
  lines: readonly Line[];
};

type ChartRequest = {
  yAxis: readonly string[];
  /** Fields that are grouped by; functions among them are left out. */
  fields: readonly string[];
  /** How many groups; null draws everything as one line. */
  top: number | null;
  hasOther: boolean;
  sort: string | null;
  /** null for as many buckets as a chart has. */
  intervalMs: number | null;
};

/** Numbers over time, of everything or of the largest groups. Throws Invalid and NotFound. */
export async function drawChart(
  ctx: Context,
  dataset: EventsDataset,
  question: TableQuestion,
  request: ChartRequest,
): Promise<Chart> {
  const names = request.yAxis.filter((name) => name !== '');
  const yAxis = names.length === 0 ? ['count()'] : [...new Set(names)];
  const top = request.top === null ? 0 : Math.min(request.top, TOP_MAX);
  const fields = top === 0 ? [] : request.fields.filter((name) => name !== '' && !isFunction(name));
  const columns = await columnsNamed(ctx, dataset, [...new Set(fields)]);
  const order =
    columns.length === 0 ? { sort: null, hidden: [] } : orderOf(dataset, request.sort, columns, yAxis);
  const asked = { ...question, ...rowsOf(dataset, yAxis) };
  const bucketMs = bucketOf(question.range, request.intervalMs);
  const chart = await chartRows(ctx, asked, {
    groupBy: columns.map(({ field }) => field),
    functions: [...yAxis, ...order.hidden],
    sort: order.sort,
    top: Math.max(1, top),
    bucketMs,
  });
  const functions = chart.functions.slice(0, yAxis.length);
  const lines = chart.series.map(
    ({ keys, values }): Line => ({
      groupBy: columns.map(({ name, read }, index) => ({ key: name, value: read(keys[index] ?? '') })),
      isOther: false,
      values: values.slice(0, yAxis.length),
    }),
  );
  const other =
    columns.length > 0 && request.hasOther && yAxis.every((name) => ADDS_UP.test(name))
      ? remainder(
          (await chartRows(ctx, asked, { groupBy: [], functions: yAxis, sort: null, top: 1, bucketMs }))
            .series[0]?.values ?? [],
          lines,
        )
      : null;
  return {
    range: { fromMs: chart.range.fromMs, toMs: chart.range.toMs },
    fromMs: chart.range.bucketsFromMs,
    bucketMs: chart.bucketMs,
    axes: functions.map((each) => ({ name: each.name, ...functionMeta(each) })),
    lines: other ? [...lines, other] : lines,
  };
}

/** What the other lines leave is only known of numbers that add up. */
const ADDS_UP = /^(?:count|failure_count|sum|[ets]p[ms]|per_second)\(/;

function remainder(totals: Line['values'], lines: readonly Line[]): Line | null {
  const values = totals.map((axis, at) =>
    axis.map((total, bucket) =>
      Math.max(0, (total ?? 0) - lines.reduce((sum, line) => sum + (line.values[at]?.[bucket] ?? 0), 0)),
    ),
  );
  return values.some((axis) => axis.some((value) => value > 1e-9))
    ? { groupBy: [], isOther: true, values }
    : null;
}

/** At least a minute, and not more buckets than a chart may have. */
function bucketOf(range: Range, intervalMs: number | null): number {
  const bucketMs = Math.max(MINUTE_MS, intervalMs ?? chooseBucketMs(range));
  return (range.toMs - range.fromMs) / bucketMs > BUCKETS_MAX ? chooseBucketMs(range) : bucketMs;
}

/** `5m`, or a bare number of seconds; null when there is none. Throws Invalid. */
export function readInterval(searchParams: URLSearchParams, readPeriod: () => number | null): number | null {
  const text = searchParams.get('interval') ?? '';
  return /^\d{1,7}$/.test(text) && Number(text) > 0 ? Number(text) * SECOND_MS : readPeriod();
}

/** How many groups; null for none, which 0 says too. Throws Invalid. */
export function readTop(text: string | null): number | null {
  if (text === null || text === '' || text === '0') return null;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw invalid(`topEvents must be a whole number from 1 to ${TOP_MAX}`, 'topEvents');
}
