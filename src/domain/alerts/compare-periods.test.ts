import { expect, test } from 'vitest';
import { boundOf, percentChange } from './compare-periods.ts';

test('a change is in percent of what was before; of nothing there is none', () => {
  expect(percentChange(150, 100)).toBe(50);
  expect(percentChange(0, 100)).toBe(-100);
  expect(percentChange(-5, -10)).toBe(50);
  expect([percentChange(1, 0), percentChange(1, null), percentChange(null, 1)]).toEqual([null, null, null]);
});

test('the threshold of a decrease lies below zero', () => {
  expect(boundOf({ direction: 'below', comparisonMinutes: 60 }, 20)).toBe(-20);
  expect(boundOf({ direction: 'above', comparisonMinutes: 60 }, 20)).toBe(20);
  expect(boundOf({ direction: 'below' }, 20)).toBe(20);
});
