import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import { selectedRange } from './selected-range.ts';
import { readSelection, writeSelection } from './selection-address.ts';

const START = Date.parse('2026-11-03T00:00:00Z');
const chartOf = (...values: (number | null)[]) => ({
  range: { fromMs: START, toMs: START + values.length * HOUR_MS, bucketsFromMs: START },
  bucketMs: HOUR_MS,
  series: [{ keys: [], values: [values] }],
});
const hours = (from: number, to: number) => ({ fromMs: START + from * HOUR_MS, toMs: START + to * HOUR_MS });

test('the peak is the highest bucket with those beside it that are at least half as high', () => {
  expect(selectedRange('peak', chartOf(1, 2, 6, 10, 3, 2, null, 2))).toEqual(hours(2, 4));
});

test('a peak leaves at least half of the time to compare with', () => {
  expect(selectedRange('peak', chartOf(5, 5, 5, 5))).toEqual(hours(0, 2));
});

test('there is no peak where nothing happened', () => {
  expect(selectedRange('peak', chartOf(0, null, 0))).toBeNull();
  expect(selectedRange(null, chartOf(1, 2))).toBeNull();
});

test('a selection outside of the time of the chart is the peak', () => {
  expect(selectedRange(hours(1, 2), chartOf(1, 2, 9))).toEqual(hours(1, 2));
  expect(selectedRange(hours(40, 42), chartOf(1, 2, 9, 1, 1, 1))).toEqual(hours(2, 3));
});

test('a selection in an address', () => {
  const selection = { fromMs: START, toMs: START + 90 * MINUTE_MS };
  expect(writeSelection(selection)).toBe('2026-11-03T00:00:00Z..2026-11-03T01:30:00Z');
  expect(readSelection(writeSelection(selection))).toEqual(selection);
  expect(readSelection('peak')).toBe('peak');
  for (const wrong of [null, '', 'x', '..', '2026-11-03..2026-11-03', '2026-11-04..2026-11-03', 'a..b..c']) {
    expect(readSelection(wrong)).toBeNull();
  }
});
