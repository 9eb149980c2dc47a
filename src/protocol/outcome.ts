/**
 * What became of an item: every item that reaches the edge ends in exactly one outcome.
 * Names as in Sentry's stats: https://docs.sentry.io/product/stats/
 */
export const OUTCOMES = ['accepted', 'filtered', 'rate_limited', 'invalid', 'client_discard'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Data categories, as SDKs and `X-Sentry-Rate-Limits` name them. */
export const CATEGORIES = [
  'error',
  'default',
  'security',
  'transaction',
  'span',
  'log_item',
  'trace_metric',
  'attachment',
  'session',
  'monitor',
  'feedback',
  'user_report_v2',
  'replay',
  'profile',
  'profile_chunk',
  'statsd',
  'unknown',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Counted once per hour, project, key, category, outcome and reason. */
export type OutcomeCount = {
  organizationId: number;
  projectId: number;
  /** null when no client key is known (for example a replay from quarantine). */
  keyId: number | null;
  /** Milliseconds since the epoch, any moment of the hour it counts for. */
  at: number;
  category: Category;
  outcome: Outcome;
  /** Machine-readable: `duplicate`, `too_large`, `unsupported_item`, `quarantined` …; empty for accepted. */
  reason: string;
  quantity: number;
};
