import type { MetricState } from '#domain/alerts/alert-rule.ts';

/** A time at which a rule would have fired; of issues a moment, of a metric as long as it was not ok. */
export type PreviewAlarm = {
  fromMs: number;
  /** null while it goes on. */
  toMs: number | null;
  /** Of a metric the worst that it was; null for a rule of issues. */
  state: Exclude<MetricState, 'ok'> | null;
  /** Of a metric its worst value, as thresholds are written; null where there was none. */
  worst: number | null;
  /** The issue that it would have fired for; null for a metric. */
  shortId: string | null;
};

/** What a rule would have done in the last 14 days. */
export type AlertPreview = {
  kind: 'issue' | 'metric';
  /**
   * How often it would have fired; of a metric, how often it would have become a warning or critical: once for each of its
   * alarms, and for each change between the two.
   */
  firings: number;
  /** Why `firings` is an estimate, in sentences; empty when it is exact. */
  estimates: readonly string[];
  isEstimate: boolean;
  /** Firings a day; of a metric its measure, null where there was nothing to measure. Oldest first. */
  buckets: { fromMs: number; bucketMs: number; values: readonly (number | null)[] };
  /** The time that was looked at. */
  range: { fromMs: number; toMs: number };
  /** When it would have fired, oldest first: of those that were looked at the newest, at most 100. */
  alarms: readonly PreviewAlarm[];
  alarmsTotal: number;
  /** Of a metric that compares, what it was in the period before each bucket; empty otherwise. */
  before: readonly (number | null)[];
  /** Of a metric, what it would have been in each bucket; empty otherwise. */
  states: readonly MetricState[];
  /** Those that it would have fired for most, at most ten; empty for a metric. */
  issues: readonly { id: number; shortId: string; title: string; firings: number }[];
  /** Of those that were looked at. */
  issuesTotal: number;
};
