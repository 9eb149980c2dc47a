import type { QueryEntries } from '#app/url-state.ts';
import { transactionSearch } from '#product/performance/get-transaction-summary.ts';
import { type PerformanceState, spansHref } from '../../performance-state.ts';

/** Where the page of a transaction is. */
export type TransactionPlace = {
  organizationSlug: string;
  projectSlug: string;
  transaction: string;
  state: PerformanceState;
};

/** The transactions that a number of the page counts, in Explore; `search` narrows them down. */
export const ownSpansHref = (
  place: TransactionPlace,
  search = '',
  entries: QueryEntries = {},
  field?: { field: string; value: string },
): string =>
  spansHref(place.organizationSlug, place.state, {
    within: `${transactionSearch(place.transaction)} ${search}`.trim(),
    keys: [{ field: 'project', value: place.projectSlug }, ...(field ? [field] : [])],
    entries,
  });
