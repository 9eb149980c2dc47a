import type { RowQuestion } from '#product/explore/rows/explored-rows.ts';
import { asOneTerm } from '#product/search/syntax/as-one-term.ts';

/** Whose spans a page shows: its filters, and what somebody searches for. */
export type PerformanceQuestion = Omit<RowQuestion, 'dataset' | 'within'>;

/** Interactions and web vitals that browsers send by themselves are roots of their own, but no transactions. */
export const SENT_AS_ROOTS = /^ui\.(?:interaction|webvital)\./;
export const TRANSACTIONS = 'is_transaction:true !span.op:[ui.interaction.*,ui.webvital.*]';

/** The spans of the page that a part of it counts. */
export const spansOf = (question: PerformanceQuestion, within: string): RowQuestion => ({
  ...question,
  dataset: 'spans',
  within,
});

/** `key:"value"`, or that there is none. */
export const exactTerm = (key: string, value: string): string =>
  value === '' ? `!has:${key}` : `${key}:"${value.replace(/["\\*]/g, '\\$&')}"`;

/** Both searches as one, for an address. */
export const bothSearches = (within: string, query: string): string =>
  [within, asOneTerm(query)].filter((part) => part !== '').join(' ');
