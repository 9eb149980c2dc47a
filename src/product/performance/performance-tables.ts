import { APDEX_THRESHOLD_MS } from '#product/explore/rows/row-functions.ts';
import { TRANSACTIONS } from './performance-search.ts';

export type PerformanceColumn = {
  label: string;
  /** As in Explore, with the hint of what it means. */
  fn: string;
  hint: string;
  /** How it is written, where the function does not say it. */
  type?: 'percentage';
};

/** Spans that one page is about, what they are grouped by and what is calculated of each group. */
export type PerformanceTable = {
  /** The search that finds them. */
  within: string;
  groupBy: readonly { field: string; label: string }[];
  columns: readonly PerformanceColumn[];
  /** What a page asks for first: where the time goes. */
  sort: string;
};

const RATE = { label: 'Per minute', fn: 'epm()', hint: 'Average number per minute of the time range' };
const COUNT = { label: 'Count', fn: 'count()', hint: 'Number in the time range' };
const TOTAL = { label: 'Total time', fn: 'sum(span.duration)', hint: 'Sum of all durations' };
const FAILURES = {
  label: 'Failure rate',
  fn: 'failure_rate()',
  hint: 'Share with any status but ok, canceled or unknown',
};
const percentile = (level: number): PerformanceColumn => ({
  label: `p${level}`,
  fn: `p${level}(span.duration)`,
  hint: `${level}% took at most this long`,
});

const PROJECT = { field: 'project', label: 'Project' };
const SORT = `-${TOTAL.fn}`;

export const PERFORMANCE_TABLES = {
  transactions: {
    within: TRANSACTIONS,
    groupBy: [{ field: 'transaction', label: 'Transaction' }, PROJECT],
    columns: [
      RATE,
      COUNT,
      percentile(50),
      percentile(75),
      percentile(95),
      percentile(99),
      FAILURES,
      {
        label: 'Apdex',
        fn: `apdex(${APDEX_THRESHOLD_MS})`,
        hint: `Share that took at most ${APDEX_THRESHOLD_MS} ms, and half of those up to ${4 * APDEX_THRESHOLD_MS} ms`,
      },
      { label: 'Users', fn: 'count_unique(user)', hint: 'Number of different users' },
      TOTAL,
    ],
    sort: SORT,
  },
  queries: {
    within: 'span.op:[db,db.*]',
    groupBy: [{ field: 'span.normalized_description', label: 'Query' }, PROJECT],
    columns: [RATE, COUNT, percentile(50), percentile(95), FAILURES, TOTAL],
    sort: SORT,
  },
  requests: {
    within: 'span.op:http.client',
    groupBy: [{ field: 'span.normalized_description', label: 'Request' }, PROJECT],
    columns: [RATE, COUNT, percentile(50), percentile(95), FAILURES, TOTAL],
    sort: SORT,
  },
  caches: {
    within: 'span.op:cache.*',
    groupBy: [
      { field: 'transaction', label: 'Transaction' },
      { field: 'span.op', label: 'Operation' },
      PROJECT,
    ],
    columns: [
      RATE,
      COUNT,
      {
        label: 'Hit rate',
        fn: 'avg(cache.hit)',
        hint: 'Share of lookups that say whether they hit, and did',
        type: 'percentage',
      },
      percentile(50),
      percentile(95),
      TOTAL,
    ],
    sort: SORT,
  },
  queues: {
    within: 'span.op:[queue.publish,queue.process]',
    groupBy: [
      { field: 'messaging.destination.name', label: 'Destination' },
      { field: 'span.op', label: 'Operation' },
      PROJECT,
    ],
    columns: [
      RATE,
      COUNT,
      {
        label: 'Wait',
        fn: 'avg(messaging.message.receive.latency)',
        hint: 'Average time between publishing and receiving',
      },
      percentile(50),
      percentile(95),
      FAILURES,
      TOTAL,
    ],
    sort: SORT,
  },
} as const satisfies Record<string, PerformanceTable>;

export type PerformanceModule = Exclude<keyof typeof PERFORMANCE_TABLES, 'transactions'>;
