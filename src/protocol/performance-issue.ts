/**
 * Performance issues: what is wrong with the spans of a transaction. Names and numbers are Sentry's.
 * Source: https://docs.sentry.io/product/issues/issue-details/performance-issues/
 */

export const PERFORMANCE_ISSUE_TYPES = [
  'performance_n_plus_one_db_queries',
  'performance_consecutive_db_queries',
  'performance_slow_db_query',
  'performance_n_plus_one_api_calls',
  'performance_consecutive_http',
  'performance_large_http_payload',
  'performance_uncompressed_assets',
  'performance_render_blocking_asset_span',
] as const;
export type PerformanceIssueType = (typeof PERFORMANCE_ISSUE_TYPES)[number];

/** What a type is called in titles, settings and filters. */
export const PERFORMANCE_ISSUE_NAMES: Readonly<Record<PerformanceIssueType, string>> = {
  performance_n_plus_one_db_queries: 'N+1 query',
  performance_consecutive_db_queries: 'Consecutive DB queries',
  performance_slow_db_query: 'Slow DB query',
  performance_n_plus_one_api_calls: 'N+1 API call',
  performance_consecutive_http: 'Consecutive HTTP',
  performance_large_http_payload: 'Large HTTP payload',
  performance_uncompressed_assets: 'Uncompressed asset',
  performance_render_blocking_asset_span: 'Large render-blocking asset',
};

/** What all types begin with, and no type of an error does. */
export const PERFORMANCE_PREFIX = 'performance_';

export const isPerformanceIssueType = (type: string): type is PerformanceIssueType =>
  PERFORMANCE_ISSUE_TYPES.some((known) => known === type);

/** A span that shows the problem. */
export type EvidenceSpan = {
  /** `parent`: the others are its children; `cause`: what came before and led to them. */
  role: 'parent' | 'cause' | 'offender';
  /** 16 lower-case hex digits. */
  spanId: string;
  op: string;
  /** As stored with the span, shortened. */
  description: string;
  /** Microseconds after the start of the transaction; may be negative, since clocks differ. */
  offsetUs: number;
  durationUs: number;
};

/** A problem as it was found in one transaction: the evidence of an event of a performance issue. */
export type Occurrence = {
  type: PerformanceIssueType;
  /** The query or address that it is about, with what varies in it replaced. */
  description: string;
  /** Event ID of the transaction; null where spans came without one. */
  transactionId: string | null;
  transactionDurationUs: number;
  /** The first of the spans involved. */
  spans: readonly EvidenceSpan[];
  /** Offenders, also those that are not listed. */
  offenderCount: number;
  /** Sum of the durations of all offenders. */
  offenderDurationUs: number;
  /** How much sooner the transaction could have ended, at most; null when that cannot be said. */
  savableUs: number | null;
  /** Size of what was transferred; null where the problem is not one of size. */
  bytes: number | null;
  /** First contentful paint of the page; null where it is not delayed by the problem. */
  fcpMs: number | null;
};
