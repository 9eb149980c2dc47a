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
  [
    { measure: { dataset: 'spans', function: 'p95(span.duration)' } },
    'critical',
    'p95(span.duration) of spans above 500 ms within 10 minutes',
  ],
  [
    { measure: { dataset: 'logs', function: 'epm()' }, direction: 'below', critical: 3 },
    'critical',
    'epm() of logs below 3 per minute within 10 minutes',
  ],
  [
    { comparisonMinutes: 10_080, critical: 50 },
    'ok',
    'no longer events within 10 minutes more than 50% higher than 1 week earlier',
  ],
] as const)('%j is %s', (overrides, state, words) => {
  expect(describeMetric({ ...ALERT, ...overrides }, state)).toBe(words);
});
