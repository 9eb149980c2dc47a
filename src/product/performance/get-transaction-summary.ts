import type { Context } from '#product/context.ts';
import { type Contrast, contrastRows } from '#product/explore/rows/contrast-rows.ts';
import {
  type ChartedRows,
  type GroupedRows,
  groupRows,
  type ListedRow,
  listRows,
} from '#product/explore/rows/explored-rows.ts';
import { readTrend } from './list-performance.ts';
import {
  bothSearches,
  exactTerm,
  type PerformanceQuestion,
  spansOf,
  TRANSACTIONS,
} from './performance-search.ts';
import { PERFORMANCE_TABLES } from './performance-tables.ts';

export type TransactionQuestion = Omit<PerformanceQuestion, 'projectSlugs'> & {
  projectSlug: string;
  /** The name of the transaction. */
  transaction: string;
};

/** One transaction of a project in a range: everything is of the question. */
export type TransactionSummary = {
  /** The columns of the list of transactions over all of them; no group when there was none. */
  totals: GroupedRows;
  trend: ChartedRows;
  /** By release, the latest first: `RELEASE_FUNCTIONS`. */
  releases: GroupedRows;
  /** What its spans did, by operation and description, those with most time first: `CHILD_FUNCTIONS`. */
  spans: GroupedRows;
  slowness: Slowness | null;
  examples: readonly { label: 'Fastest' | 'Median' | 'Slowest'; row: ListedRow; durationMs: number }[];
};

/** What the slowest 5% have in common. */
export type Slowness = Contrast & {
  /** From here on a transaction is one of them. */
  thresholdMs: number;
};

const RELEASE_FUNCTIONS = [
  'count()',
  'p50(span.duration)',
  'p95(span.duration)',
  'failure_rate()',
  'first_seen()',
];
const CHILD_FUNCTIONS = ['count()', 'p50(span.duration)', 'p95(span.duration)', 'sum(span.duration)'];
const RELEASES_SHOWN = 10;
const SPANS_SHOWN = 15;

/** The searches that find a transaction, and the spans below it. */
export const transactionSearch = (transaction: string): string =>
  `${TRANSACTIONS} ${exactTerm('transaction', transaction)}`;
export const childSearch = (transaction: string): string =>
  `is_transaction:false ${exactTerm('transaction', transaction)}`;

/** Throws Invalid, and NotFound for a project that is not visible. */
export async function getTransactionSummary(
  ctx: Context,
  { projectSlug, transaction, ...asked }: TransactionQuestion,
): Promise<TransactionSummary> {
  const question: PerformanceQuestion = { ...asked, projectSlugs: [projectSlug] };
  const within = transactionSearch(transaction);
  const transactions = spansOf(question, within);
  const [totals, trend, releases, spans] = await Promise.all([
    groupRows(ctx, transactions, {
      groupBy: [],
      functions: PERFORMANCE_TABLES.transactions.columns.map(({ fn }) => fn),
      sort: null,
      limit: 1,
      offset: 0,
    }),
    readTrend(ctx, question, within),
    groupRows(ctx, transactions, {
      groupBy: ['release'],
      functions: RELEASE_FUNCTIONS,
      sort: '-first_seen()',
      limit: RELEASES_SHOWN,
      offset: 0,
    }),
    // What somebody searches for is about the transactions, and not about the spans below.
    groupRows(ctx, spansOf({ ...question, query: '' }, childSearch(transaction)), {
      groupBy: ['span.op', 'span.normalized_description'],
      functions: CHILD_FUNCTIONS,
      sort: '-sum(span.duration)',
      limit: SPANS_SHOWN,
      offset: 0,
    }),
  ]);
  const of = (fn: string): number | null => totalOf(totals, fn);
  const [slowness, examples] = await Promise.all([
    readSlowness(ctx, question, within, of('p95(span.duration)')),
    readExamples(ctx, question, within, of('p50(span.duration)')),
  ]);
  return { totals, trend, releases, spans, slowness, examples };
}

/** A function of the first group; null for none. */
export const totalOf = ({ functions, groups }: GroupedRows, fn: string): number | null =>
  groups[0]?.values[functions.findIndex(({ name }) => name === fn)] ?? null;

async function readSlowness(
  ctx: Context,
  question: PerformanceQuestion,
  within: string,
  thresholdMs: number | null,
): Promise<Slowness | null> {
  if (thresholdMs === null) return null;
  const contrast = await contrastRows(
    ctx,
    { ...spansOf(question, within), dataset: 'spans' },
    slowerThan(thresholdMs),
  );
  return { ...contrast, thresholdMs };
}

/** The search for what took at least so long. */
export const slowerThan = (ms: number): string => `span.duration:>=${plain(ms)}ms`;

/** A search knows no exponents. */
const plain = (ms: number): string => String(Number(ms.toFixed(3)));

/** The fastest, one in the middle and the slowest; fewer when there are fewer. */
async function readExamples(
  ctx: Context,
  question: PerformanceQuestion,
  within: string,
  medianMs: number | null,
): Promise<TransactionSummary['examples']> {
  if (medianMs === null) return [];
  const first = async (label: 'Fastest' | 'Median' | 'Slowest', sort: string, search = '') => {
    const { rows } = await listRows(ctx, spansOf(question, bothSearches(within, search)), {
      fields: ['span.duration', 'timestamp', 'span.status', 'release', 'user'],
      sort,
      limit: 1,
      cursor: null,
    });
    return rows.map((row) => ({ label, row, durationMs: Number(row.values[0]) }));
  };
  const found = await Promise.all([
    first('Slowest', '-span.duration'),
    first('Median', '-span.duration', `span.duration:<=${plain(medianMs)}ms`),
    first('Fastest', 'span.duration'),
  ]);
  const seen = new Set<string>();
  return found.flat().filter(({ row }) => !seen.has(row.id) && seen.add(row.id));
}
