import { z } from 'zod';
import { get, type Operation } from '#app/api/0/operation.ts';
import {
  ENVIRONMENTS,
  PROJECTS,
  period,
  type QueryValues,
  RANGE,
  SEARCH,
  text,
  texts,
} from '#app/api/0/query.ts';
import { invalid } from '#lib/errors.ts';
import { DAY_MS, SECOND_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { countExploredEvents } from '#product/explore/explored-events.ts';

const DATASETS = ['', 'errors', 'events', 'discover'];

/** What can be counted over time. */
const COUNT = 'count()';

const SERIES_QUERY = {
  ...RANGE,
  ...PROJECTS,
  ...ENVIRONMENTS,
  dataset: text('Which data: errors'),
  yAxis: texts('Aggregate: count()'),
  ...SEARCH,
  interval: period('Bucket size, such as 1h'),
};

export const eventSeriesOperations: readonly Operation[] = [
  /** Errors over time. Source: https://docs.sentry.io/api/explore/query-explore-events-in-timeseries-format/ */
  get('organizations/[org]/events-timeseries', {
    summary: 'Counts errors over time',
    scopes: ['event:read'],
    query: SERIES_QUERY,
    refuses: ['groupBy', 'topEvents', 'comparisonDelta'],
    answer: z.object({
      meta: z.object({ dataset: z.string(), start: z.number(), end: z.number() }),
      timeSeries: z.array(
        z.object({
          yAxis: z.string(),
          values: z.array(z.object({ timestamp: z.number(), value: z.number(), incomplete: z.boolean() })),
          meta: z.object({ valueType: z.string(), valueUnit: z.null(), interval: z.number() }),
        }),
      ),
    }),
    async handle({ ctx, query }) {
      const { buckets, range, bucketMs } = await countOverTime(ctx, query);
      return {
        meta: { dataset: 'errors', start: range.fromMs, end: range.toMs },
        timeSeries: [
          {
            yAxis: COUNT,
            values: buckets.map((value, index) => {
              const timestamp = range.fromMs + index * bucketMs;
              return { timestamp, value, incomplete: timestamp + bucketMs > ctx.now() };
            }),
            meta: { valueType: 'integer', valueUnit: null, interval: bucketMs },
          },
        ],
      };
    },
  }),

  /** The same in an older shape, as pairs of Unix seconds and a count. Source: Sentry's `events-stats`. */
  get('organizations/[org]/events-stats', {
    summary: 'Counts errors over time, in the legacy format',
    scopes: ['event:read'],
    query: SERIES_QUERY,
    refuses: ['topEvents', 'comparisonDelta'],
    answer: z.object({
      data: z.array(z.array(z.union([z.number(), z.array(z.object({ count: z.number() }))]))),
      start: z.number(),
      end: z.number(),
      isMetricsData: z.boolean(),
    }),
    async handle({ ctx, query }) {
      const { buckets, range, bucketMs } = await countOverTime(ctx, query);
      return {
        data: buckets.map((count, index) => [(range.fromMs + index * bucketMs) / SECOND_MS, [{ count }]]),
        start: range.fromMs / SECOND_MS,
        end: range.toMs / SECOND_MS,
        isMetricsData: false,
      };
    },
  }),
];

async function countOverTime(ctx: Context, query: QueryValues<typeof SERIES_QUERY>) {
  if (!DATASETS.includes(query.dataset ?? '')) {
    throw invalid('Only errors can be counted over time: use dataset=errors', 'dataset');
  }
  if (query.yAxis.some((axis) => axis !== '' && axis !== COUNT)) {
    throw invalid(`Only ${COUNT} is available over time`, 'yAxis');
  }
  const nowMs = ctx.now();
  const question = {
    query: query.search ?? '',
    projectSlugs: query.projectSlugs,
    environments: query.environments,
    range: query.range ?? { fromMs: nowMs - DAY_MS, toMs: nowMs },
  };
  return countExploredEvents(ctx, question, query.interval ?? undefined);
}
