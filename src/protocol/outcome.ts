import type { TelemetryKind } from './telemetry.ts';

/**
 * What became of an item: every item that reaches the edge ends in exactly one outcome.
 * Names as in Sentry's stats: https://docs.sentry.io/product/stats/
 */
export const OUTCOMES = ['accepted', 'filtered', 'rate_limited', 'invalid', 'client_discard'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * Counted beside the outcomes: items that were accepted once and have been dropped since, by their age or for the disk
 * budget. An item that expires keeps its one outcome.
 */
export const EXPIRED = 'expired';

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

/** What the rows of the analytic store count as. */
export function categoryOfKind(kind: 'events' | TelemetryKind): Category {
  return CATEGORY_OF_KIND[kind];
}

const CATEGORY_OF_KIND: Readonly<Record<'events' | TelemetryKind, Category>> = {
  events: 'error',
  transactions: 'transaction',
  spans: 'span',
  logs: 'log_item',
  metrics: 'trace_metric',
  sessions: 'session',
  checkIns: 'monitor',
  feedback: 'feedback',
  attachments: 'attachment',
  replays: 'replay',
  replaySegments: 'replay',
  profiles: 'profile',
};

/** Counted once per hour, project, key, category, outcome and reason. */
export type OutcomeCount = {
  organizationId: number;
  projectId: number;
  /** null when no client key is known (for example a replay from quarantine). */
  keyId: number | null;
  /** Milliseconds since the epoch, any moment of the hour it counts for. */
  at: number;
  category: Category;
  outcome: Outcome | typeof EXPIRED;
  /** Machine-readable: `duplicate`, `too_large`, `unsupported_item`, `quarantined` …; empty for accepted. */
  reason: string;
  quantity: number;
};
