import { z } from 'zod';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { ENVIRONMENTS, PROJECTS, RANGE, SEARCH } from '#app/api/0/parameters.ts';
import { readEnvironments, readPeriodMs, readRange, refuseParameters } from '#app/api/0/read-parameters.ts';
import { invalid } from '#lib/errors.ts';
import { SECOND_MS } from '#lib/time.ts';
import type { Context } from '#product/context.ts';
import { countExploredEvents } from '#product/explore/explored-events.ts';
import { type OrganizationParams, readProjects } from './organization-endpoints.ts';

const RANGE_DEFAULT_MS = 24 * 3_600_000;
const DATASETS = ['', 'errors', 'events', 'discover'];
/** What can be counted over time. */
const COUNT = 'count()';

const EVENT_TIMESERIES = {
  summary: 'Counts errors over time',
  scopes: ['event:read'],
  query: {
    ...RANGE,
    ...PROJECTS,
    ...ENVIRONMENTS,
    dataset: z.string().describe('Which data: errors or logs'),
    yAxis: z.string().describe('What is counted: count()'),
    ...SEARCH,
    interval: z.string().describe('The size of a bucket, such as 1h'),
  },
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
} satisfies Operation;

/** Errors over time. Source: https://docs.sentry.io/api/explore/query-explore-events-in-timeseries-format/ */
export const eventTimeseriesEndpoint = declare<OrganizationParams>(
  EVENT_TIMESERIES,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['groupBy', 'topEvents', 'comparisonDelta']);
    const ctx = contextOf(caller, params.org);
    const { buckets, range, bucketMs } = await countOverTime(ctx, url);
    return {
      body: {
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
      },
    };
  },
);

const EVENT_STATS = {
  summary: 'Counts errors over time, in the older shape',
  scopes: ['event:read'],
  query: {
    ...RANGE,
    ...PROJECTS,
    ...ENVIRONMENTS,
    dataset: z.string().describe('Which data: errors or logs'),
    yAxis: z.string().describe('What is counted: count()'),
    ...SEARCH,
    interval: z.string().describe('The size of a bucket, such as 1h'),
  },
  answer: z.object({
    data: z.array(z.array(z.union([z.number(), z.array(z.object({ count: z.number() }))]))),
    start: z.number(),
    end: z.number(),
    isMetricsData: z.boolean(),
  }),
} satisfies Operation;

/** The same in an older shape, as pairs of Unix seconds and a count. Source: Sentry's `events-stats`. */
export const eventStatsEndpoint = declare<OrganizationParams>(
  EVENT_STATS,
  async ({ caller, params, url }) => {
    refuseParameters(url, ['topEvents', 'comparisonDelta']);
    const ctx = contextOf(caller, params.org);
    const { buckets, range, bucketMs } = await countOverTime(ctx, url);
    return {
      body: {
        data: buckets.map((count, index) => [(range.fromMs + index * bucketMs) / SECOND_MS, [{ count }]]),
        start: range.fromMs / SECOND_MS,
        end: range.toMs / SECOND_MS,
        isMetricsData: false,
      },
    };
  },
);

async function countOverTime(ctx: Context, url: URL) {
  const dataset = url.searchParams.get('dataset') ?? '';
  if (!DATASETS.includes(dataset)) {
    throw invalid('Only errors are counted over time: use dataset=errors', 'dataset');
  }
  if (url.searchParams.getAll('yAxis').some((axis) => axis !== '' && axis !== COUNT)) {
    throw invalid(`Only ${COUNT} can be told over time`, 'yAxis');
  }
  const nowMs = ctx.now();
  const question = {
    query: url.searchParams.get('query') ?? '',
    projectSlugs: await readProjects(url, ctx),
    environments: readEnvironments(url),
    range: readRange(url, nowMs) ?? { fromMs: nowMs - RANGE_DEFAULT_MS, toMs: nowMs },
  };
  return countExploredEvents(ctx, question, readPeriodMs(url, 'interval') ?? undefined);
}
