import { z } from 'zod';
import { type EventsDataset, readDataset } from '#app/api/0/endpoints/events/events-dataset.ts';
import { readQuestion } from '#app/api/0/endpoints/events/events-question.ts';
import {
  CHART_PERIOD_MS,
  type Chart,
  drawChart,
  type Line,
  readInterval,
  readTop,
} from '#app/api/0/endpoints/events/series.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import {
  ENVIRONMENTS,
  type Parameter,
  PROJECTS,
  period,
  type QueryValues,
  RANGE,
  SEARCH,
  text,
  texts,
} from '#app/api/0/query.ts';
import { SECOND_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';

const INTERVAL = period('Bucket size, such as 1h');

const SERIES_QUERY = {
  ...RANGE,
  ...PROJECTS,
  ...ENVIRONMENTS,
  dataset: {
    schema: z.string().describe('Dataset: errors, transactions, spans, logs or metrics'),
    read: (searchParams, name) => readDataset(searchParams.get(name), searchParams.getAll('yAxis')),
  } satisfies Parameter<EventsDataset>,
  yAxis: texts('Functions, such as count() or p95(span.duration)'),
  ...SEARCH,
  interval: {
    schema: INTERVAL.schema,
    read: (searchParams, name, ctx) =>
      readInterval(searchParams, () => INTERVAL.read(searchParams, name, ctx) as number | null),
  } satisfies Parameter<number | null>,
  field: texts('Fields to group by, with topEvents'),
  groupBy: texts('The same as field'),
  topEvents: {
    schema: z.string().describe('Number of groups to return, 10 at most'),
    read: (searchParams, name) => readTop(searchParams.get(name)),
  } satisfies Parameter<number | null>,
  excludeOther: text('1 to leave out what the groups leave'),
  sort: text('Order of the groups; prefix with - for descending order'),
  orderby: text('The same as sort'),
};

const STATS_SERIES = z.looseObject({
  data: z.array(z.tuple([z.number(), z.array(z.object({ count: z.number() }))])),
  meta: z.looseObject({
    fields: z.record(z.string(), z.string()),
    units: z.record(z.string(), z.string().nullable()),
  }),
  start: z.number(),
  end: z.number(),
  order: z.number().optional(),
  isMetricsData: z.boolean(),
});

export const eventSeriesOperations: readonly Operation[] = [
  /** Numbers over time. Source: https://docs.sentry.io/api/explore/query-explore-events-in-timeseries-format/ */
  get('organizations/[org]/events-timeseries', {
    summary: 'Counts errors, transactions, spans, logs or metrics over time',
    scopes: ['event:read'],
    query: SERIES_QUERY,
    refuses: ['comparisonDelta'],
    answer: z.object({
      meta: z.object({ dataset: z.string(), start: z.number(), end: z.number() }),
      timeSeries: z.array(
        z.object({
          yAxis: z.string(),
          groupBy: z
            .array(
              z.object({
                key: z.string(),
                value: z.union([z.string(), z.number(), z.boolean()]).nullable(),
              }),
            )
            .optional(),
          values: z.array(
            z.object({ timestamp: z.number(), value: z.number().nullable(), incomplete: z.boolean() }),
          ),
          meta: z.object({
            valueType: z.string(),
            valueUnit: z.string().nullable(),
            interval: z.number(),
            order: z.number().optional(),
            isOther: z.boolean().optional(),
          }),
        }),
      ),
    }),
    async handle({ ctx, query }) {
      const { range, fromMs, bucketMs, axes, lines } = await chartOf(ctx, query);
      const timeSeries = lines.flatMap(({ groupBy, isOther, values }, order) =>
        axes.map(({ name, type, unit }, axis) => ({
          yAxis: name,
          ...(groupBy.length > 0 && { groupBy }),
          values: (values[axis] ?? []).map((value, index) => {
            const timestamp = fromMs + index * bucketMs;
            return { timestamp, value, incomplete: timestamp + bucketMs > ctx.now() };
          }),
          meta: {
            valueType: type,
            valueUnit: unit,
            interval: bucketMs,
            ...((groupBy.length > 0 || isOther) && { order, isOther }),
          },
        })),
      );
      return { meta: { dataset: query.dataset, start: range.fromMs, end: range.toMs }, timeSeries };
    },
  }),

  /**
   * The same in an older shape, as pairs of Unix seconds and a number: by function if there are several, by group with
   * `topEvents`. Source: Sentry's `events-stats`.
   */
  get('organizations/[org]/events-stats', {
    summary: 'Counts errors, transactions, spans, logs or metrics over time, in the legacy format',
    scopes: ['event:read'],
    query: SERIES_QUERY,
    refuses: ['comparisonDelta'],
    answer: z.union([STATS_SERIES, z.record(z.string(), z.unknown())]),
    async handle({ ctx, query }) {
      const chart = await chartOf(ctx, query);
      const [first] = chart.lines;
      const isGrouped = chart.lines.some(({ groupBy, isOther }) => groupBy.length > 0 || isOther);
      if (query.topEvents === null || (first && !isGrouped)) return first ? statsOf(chart, first) : {};
      return Object.fromEntries(
        chart.lines.map((line, order) => [nameOf(line), { ...statsOf(chart, line), order }]),
      );
    },
  }),
];

const chartOf = (ctx: Context, query: QueryValues<typeof SERIES_QUERY>): Promise<Chart> =>
  drawChart(ctx, query.dataset, readQuestion(ctx, query, CHART_PERIOD_MS), {
    yAxis: query.yAxis,
    fields: [...query.field, ...query.groupBy],
    top: query.topEvents,
    hasOther: query.excludeOther !== '1' && query.excludeOther !== 'true',
    sort: query.sort || query.orderby,
    intervalMs: query.interval,
  });

const nameOf = ({ isOther, groupBy }: Line): string =>
  isOther ? 'Other' : groupBy.map(({ value }) => value ?? '').join(',');

function statsOf(chart: Chart, line: Line): Readonly<Record<string, unknown>> {
  const axes = chart.axes.map((axis, index) => [axis.name, axisOf(chart, line, index)] as const);
  if (axes.length === 1) return axes[0]?.[1] ?? {};
  return Object.fromEntries(axes.map(([name, axis], order) => [name, { ...axis, order }]));
}

function axisOf({ range, fromMs, bucketMs, axes }: Chart, line: Line, index: number) {
  const { name = '', type = 'integer', unit = null } = axes[index] ?? {};
  return {
    // As in Sentry, a bucket without rows has 0 whatever the function.
    data: (line.values[index] ?? []).map((value, bucket) => [
      Math.floor((fromMs + bucket * bucketMs) / SECOND_MS),
      [{ count: value ?? 0 }],
    ]),
    meta: { fields: { [name]: type }, units: { [name]: unit } },
    start: Math.floor(range.fromMs / SECOND_MS),
    end: Math.floor(range.toMs / SECOND_MS),
    isMetricsData: false,
  };
}
