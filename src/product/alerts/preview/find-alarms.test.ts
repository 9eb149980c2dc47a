import { expect, test } from 'vitest';
import type { MetricState } from '#domain/alerts/alert-rule.ts';
import { HOUR_MS } from '#lib/time.ts';
import { findAlarms } from './find-alarms.ts';

const alarmsOf = (
  direction: 'above' | 'below',
  ...windows: readonly (readonly [MetricState, number | null])[]
) =>
  findAlarms(
    { direction },
    {
      windows: windows.map(([, value]) => ({ value, measured: value, before: null })),
      states: windows.map(([state]) => state),
      fromMs: 0,
      windowMs: HOUR_MS,
    },
  );

test('an alarm lasts from the end of the first bad window to the end of the first good one, with its worst value', () => {
  expect(alarmsOf('above', ['ok', 1], ['warning', 5], ['critical', 9], ['warning', 6], ['ok', 2])).toEqual([
    { fromMs: 2 * HOUR_MS, toMs: 5 * HOUR_MS, state: 'critical', worst: 9, shortId: null },
  ]);
  expect(alarmsOf('below', ['critical', 90], ['critical', 80], ['ok', 99])[0]?.worst).toBe(80);
});

test('one that goes on has no end, and windows without a value keep what was', () => {
  expect(alarmsOf('above', ['critical', null], ['critical', 7], ['critical', null])).toEqual([
    { fromMs: HOUR_MS, toMs: null, state: 'critical', worst: 7, shortId: null },
  ]);
  expect(alarmsOf('above', ['ok', 1])).toEqual([]);
});
