import type { Context } from '#product/context.ts';
import { groupRows } from '#product/explore/rows/explored-rows.ts';
import { exactTerm, spansOf, TRANSACTIONS } from '#product/performance/performance-search.ts';
import type { Range } from '#product/time-buckets.ts';

/** How the transactions of a release ran in a range. */
export type ReleasePerformance = {
  transactions: number;
  p95Ms: number | null;
  /** Share that failed, 0 to 1; null without any. */
  failureRate: number | null;
};

const FUNCTIONS = ['count()', 'p95(span.duration)', 'failure_rate()'];

/** By version; releases without a transaction in the range are left out. Throws Invalid and NotFound. */
export async function getReleasePerformance(
  ctx: Context,
  {
    versions,
    ...asked
  }: {
    versions: readonly string[];
    projectSlugs: readonly string[];
    environments: readonly string[];
    range: Range;
  },
): Promise<ReadonlyMap<string, ReleasePerformance>> {
  if (versions.length === 0) return new Map();
  const named = versions.map((version) => exactTerm('release', version)).join(' OR ');
  const { groups } = await groupRows(ctx, spansOf({ ...asked, query: '' }, `${TRANSACTIONS} (${named})`), {
    groupBy: ['release'],
    functions: FUNCTIONS,
    sort: null,
    limit: versions.length,
    offset: 0,
  });
  return new Map(
    groups.map(({ keys: [version = ''], values: [transactions, p95Ms, failureRate] }) => [
      version,
      { transactions: transactions ?? 0, p95Ms: p95Ms ?? null, failureRate: failureRate ?? null },
    ]),
  );
}
