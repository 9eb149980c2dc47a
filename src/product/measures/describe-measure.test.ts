import { expect, test } from 'vitest';
import type { MetricMeasure } from '#domain/alerts/alert-rule.ts';
import { describeChange, withUnit } from './describe-measure.ts';

test.each<[MetricMeasure, number, string]>([
  ['events', 1_500, '1,500 events'],
  ['failure_rate', 99.555, '99.56%'],
  [{ dataset: 'spans', function: 'p95(span.duration)' }, 412.5, '412.5 ms'],
  [{ dataset: 'spans', function: 'p75(measurements.lcp)' }, 2_500, '2,500 ms'],
  [{ dataset: 'spans', function: 'failure_rate()' }, 5, '5%'],
  [{ dataset: 'spans', function: 'apdex(300)' }, 0.94, '0.94'],
  [{ dataset: 'spans', function: 'count_unique(user)' }, 7, '7'],
  [{ dataset: 'logs', function: 'count()' }, 1, '1 lines'],
  [{ dataset: 'logs', function: 'epm()' }, 0.0042, '0.0042 per minute'],
  [{ dataset: 'logs', function: 'eps()' }, 2, '2 per second'],
  [{ dataset: 'metrics', function: 'avg(value)' }, -3, '-3'],
])('%j of %d is %s', (measure, value, words) => {
  expect(withUnit(value, { measure })).toBe(words);
});

test('a change says which way it goes', () => {
  const measure = { dataset: 'spans', function: 'avg(span.duration)' } as const;
  expect(withUnit(41.237, { measure, comparisonMinutes: 60 })).toBe('41.24% higher');
  expect(withUnit(-5, { measure, comparisonMinutes: 60 })).toBe('5% lower');
});

test('what a change is of is told as what was measured', () => {
  const change = { measured: 1_200, measuredBefore: 800 };
  expect(describeChange(change, { measure: 'events' })).toBe('1,200 events, 800 events before');
  expect(describeChange({ ...change, measuredBefore: null }, { measure: 'events' })).toBeNull();
});
