import type { AlertMeasure, MetricAlert, MetricMeasure, RowMeasure } from './alert-rule.ts';

/** How Sentry writes what is measured, and where it looks. Sessions have no types of events. */
export type SentryMeasure = {
  aggregate: string;
  dataset: string;
  queryType: number;
  eventTypes: readonly string[];
};

export const SENTRY_MEASURES: Readonly<Record<AlertMeasure, SentryMeasure>> = {
  events: { aggregate: 'count()', dataset: 'events', queryType: 0, eventTypes: ['default', 'error'] },
  users: {
    aggregate: 'count_unique(user)',
    dataset: 'events',
    queryType: 0,
    eventTypes: ['default', 'error'],
  },
  crash_free_sessions: {
    aggregate: 'percentage(sessions_crashed, sessions) AS _crash_rate_alert_aggregate',
    dataset: 'metrics',
    queryType: 2,
    eventTypes: [],
  },
  crash_free_users: {
    aggregate: 'percentage(users_crashed, users) AS _crash_rate_alert_aggregate',
    dataset: 'metrics',
    queryType: 2,
    eventTypes: [],
  },
  failure_rate: {
    aggregate: 'failure_rate()',
    dataset: 'transactions',
    queryType: 1,
    eventTypes: ['transaction'],
  },
};

/** Spans, logs and metrics are one dataset, and told apart by the type of their rows. */
export const SENTRY_ROWS = 'events_analytics_platform';

export const SENTRY_ROW_TYPES: Readonly<Record<RowMeasure['dataset'], string>> = {
  spans: 'trace_item_span',
  logs: 'trace_item_log',
  metrics: 'trace_item_metric',
};

export const sentryMeasureOf = (measure: MetricMeasure): SentryMeasure =>
  typeof measure === 'string'
    ? SENTRY_MEASURES[measure]
    : {
        aggregate: measure.function,
        dataset: SENTRY_ROWS,
        queryType: 1,
        eventTypes: [SENTRY_ROW_TYPES[measure.dataset]],
      };

/** Sentry's failure rate is a share of one, ours is one of a hundred; changes are percent in both. */
export function scaleOf({
  measure,
  comparisonMinutes,
}: Pick<MetricAlert, 'measure' | 'comparisonMinutes'>): number {
  if (comparisonMinutes !== undefined) return 1;
  const isFailureRate =
    typeof measure === 'string' ? measure === 'failure_rate' : measure.function.startsWith('failure_rate(');
  return isFailureRate ? 100 : 1;
}
