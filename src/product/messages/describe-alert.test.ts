import { expect, test } from 'vitest';
import type { MetricAlert } from '#domain/alerts/alert-rule.ts';
import { describeMetric } from './describe-alert.ts';

const ALERT: MetricAlert = {
  kind: 'metric',
  measure: 'events',
  query: '',
  windowMinutes: 10,
  direction: 'above',
  critical: 500,
  warning: 200,
  resolve: null,
  receivers: [],
};

test.each([
  [{}, 'critical', 'more than 500 events within 10 minutes'],
  [{}, 'warning', 'more than 200 events within 10 minutes'],
  [{}, 'ok', 'no longer more than 500 events within 10 minutes'],
  [{ warning: null, windowMinutes: 1 }, 'warning', 'more than 500 events within 1 minute'],
  [
    { measure: 'crash_free_sessions', direction: 'below', critical: 99.5 },
    'critical',
    'less than 99.5% crash-free sessions within 10 minutes',
  ],
  [{ measure: 'users' }, 'critical', 'more than 500 users within 10 minutes'],
] as const)('%j is %s', (overrides, state, words) => {
  expect(describeMetric({ ...ALERT, ...overrides }, state)).toBe(words);
});
