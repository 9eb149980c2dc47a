import { expect, test } from 'vitest';
import type { AlertFilter, MetricAlert } from '#domain/alerts/alert-rule.ts';
import { describeMinutes } from '#product/measures/describe-minutes.ts';
import { describeFilter, describeMetric } from './describe-alert-rule.ts';

test.each<[AlertFilter, string]>([
  [{ kind: 'level', match: 'at_least', level: 'error' }, 'The level is error or higher'],
  [{ kind: 'tag', key: 'browser', match: 'is_set', value: '' }, 'The tag browser is set'],
  [{ kind: 'attribute', attribute: 'http.url', match: 'contains', value: '/pay' }, 'http.url contains /pay'],
  [{ kind: 'age', compare: 'older', minutes: 10_080 }, 'The issue is older than 1 week'],
  [{ kind: 'times_seen', atLeast: 1 }, 'The issue has occurred at least 1 time'],
  [{ kind: 'assigned', to: { kind: 'team', teamId: 3 } }, 'The issue is assigned to team 3'],
  [{ kind: 'priority', atLeast: 'high' }, 'The priority is high'],
  [{ kind: 'event_count', above: 1_000, minutes: 60 }, 'More than 1,000 events within 1 hour'],
  [{ kind: 'user_count', above: 0, minutes: 90 }, 'More than 0 users affected within 90 minutes'],
])('%j: %s', (filter, words) => {
  expect(describeFilter(filter)).toBe(words);
});

test('a metric by what makes it critical', () => {
  const base = { kind: 'metric', query: '', warning: null, resolve: null, receivers: [] } as const;
  expect(
    describeMetric({ ...base, measure: 'failure_rate', direction: 'above', critical: 5, windowMinutes: 120 }),
  ).toBe('Failure rate above 5% within 2 hours');
  const of = (change: Partial<MetricAlert>) =>
    describeMetric({
      ...base,
      measure: 'events',
      direction: 'above',
      critical: 1_500,
      windowMinutes: 60,
      ...change,
    });
  const spans = (written: string) => ({ measure: { dataset: 'spans', function: written } }) as const;
  expect(of({})).toBe('Events above 1,500 within 1 hour');
  expect(of(spans('p95(span.duration)'))).toBe('p95(span.duration) of spans above 1,500 ms within 1 hour');
  expect(of(spans('count()'))).toBe('count() of spans above 1,500 within 1 hour');
  expect(of({ direction: 'below', critical: 20, comparisonMinutes: 10_080 })).toBe(
    'Events within 1 hour more than 20% lower than 1 week earlier',
  );
});

test('minutes in the largest unit that tells them whole', () => {
  expect([1, 45, 60, 1_440, 43_200].map(describeMinutes)).toEqual([
    '1 minute',
    '45 minutes',
    '1 hour',
    '1 day',
    '30 days',
  ]);
});
