import { describe, expect, test } from 'vitest';
import type { MetricState } from '#domain/alerts/alert-rule.ts';
import { nextLookAt, nextMetricState } from './check-metrics.ts';

const walk = (
  thresholds: Parameters<typeof nextMetricState>[0],
  values: readonly (number | null)[],
): readonly MetricState[] => {
  let state: MetricState = 'ok';
  return values.map((value) => {
    state = nextMetricState(thresholds, state, value);
    return state;
  });
};

describe('above', () => {
  const base = { direction: 'above', critical: 100, warning: null, resolve: null } as const;

  test('a threshold is passed by more than it', () => {
    expect(walk(base, [99, 100, 101, 100])).toEqual(['ok', 'ok', 'critical', 'ok']);
  });

  test('with a resolve threshold it stays critical until there', () => {
    const values = [101, 90, 51, 50, 90, 101];
    expect(walk({ ...base, resolve: 50 }, values)).toEqual([
      'critical',
      'critical',
      'critical',
      'ok',
      'ok',
      'critical',
    ]);
  });

  test('a warning comes before, and after', () => {
    const values = [60, 101, 90, 40, 30, 101];
    expect(walk({ ...base, warning: 50, resolve: 30 }, values)).toEqual([
      'warning',
      'critical',
      'warning',
      'warning',
      'ok',
      'critical',
    ]);
  });

  test('none at all is well when that is asked for', () => {
    expect(walk({ ...base, resolve: 0 }, [101, 1, 0])).toEqual(['critical', 'critical', 'ok']);
  });
});

test('below: the other side is bad', () => {
  const crashFree = { direction: 'below', critical: 95, warning: 98, resolve: 99 } as const;
  expect(walk(crashFree, [98, 97, 94, 96, 98.5, 99])).toEqual([
    'ok',
    'warning',
    'critical',
    'warning',
    'warning',
    'ok',
  ]);
});

test('a share of nothing changes nothing', () => {
  const base = { direction: 'below', critical: 95, warning: null, resolve: null } as const;
  expect(walk(base, [null, 90, null, 96, null])).toEqual(['ok', 'critical', 'critical', 'ok', 'ok']);
});

test('of a change, a decrease lies below zero', () => {
  const drop = { direction: 'below', comparisonMinutes: 60, critical: 50, warning: 20, resolve: 5 } as const;
  expect(walk(drop, [40, -20, -21, -51, -30, -6, null, -5])).toEqual([
    'ok',
    'ok',
    'warning',
    'critical',
    'warning',
    'warning',
    'warning',
    'ok',
  ]);
  const rise = { ...drop, direction: 'above' } as const;
  expect(walk(rise, [-90, 21, 51, 5])).toEqual(['ok', 'warning', 'critical', 'ok']);
});

test('a rule whose look takes long is looked at less often, so that it takes a twentieth of the time', () => {
  expect(nextLookAt(0, 200)).toBe(55_000);
  expect(nextLookAt(0, 6_000)).toBe(120_000);
  expect(nextLookAt(0, 600_000)).toBe(600_000 + 30 * 60_000);
});
