import type { AlertMeasure } from './alert-rule.ts';

/** How Sentry writes what is measured, and where it looks. */
export const SENTRY_MEASURES: Readonly<
  Record<AlertMeasure, { aggregate: string; dataset: string; queryType: number }>
> = {
  events: { aggregate: 'count()', dataset: 'events', queryType: 0 },
  users: { aggregate: 'count_unique(user)', dataset: 'events', queryType: 0 },
  crash_free_sessions: {
    aggregate: 'percentage(sessions_crashed, sessions) AS _crash_rate_alert_aggregate',
    dataset: 'metrics',
    queryType: 2,
  },
  crash_free_users: {
    aggregate: 'percentage(users_crashed, users) AS _crash_rate_alert_aggregate',
    dataset: 'metrics',
    queryType: 2,
  },
  failure_rate: { aggregate: 'failure_rate()', dataset: 'transactions', queryType: 1 },
};

/** Sentry's failure rate is a share of one, ours is one of a hundred. */
export const scaleOf = (measure: AlertMeasure): number => (measure === 'failure_rate' ? 100 : 1);
