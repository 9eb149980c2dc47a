import { expect, test } from 'vitest';
import { compareCounts, compareShares, standardErrors } from './compare-shares.ts';

test('the z-test of two proportions, by a worked example', () => {
  // 60 of 400 against 30 of 400: pooled 0.1125, error 0.02234, difference 0.075.
  expect(standardErrors({ hits: 60, of: 400 }, { hits: 30, of: 400 })).toBeCloseTo(3.357, 2);
});

test('shares that differ by more than chance, and that do not', () => {
  expect(compareShares({ hits: 60, of: 400 }, { hits: 30, of: 400 })).toBe('more');
  expect(compareShares({ hits: 30, of: 400 }, { hits: 60, of: 400 })).toBe('less');
  expect(compareShares({ hits: 42, of: 400 }, { hits: 30, of: 400 })).toBe('chance');
});

test('too few are not judged: nothing on one side, or fewer than five expected', () => {
  expect(compareShares({ hits: 0, of: 0 }, { hits: 30, of: 400 })).toBe('too_few');
  expect(compareShares({ hits: 3, of: 10 }, { hits: 30, of: 400 })).toBe('too_few');
  expect(compareShares({ hits: 0, of: 5_000 }, { hits: 1, of: 5_000 })).toBe('too_few');
});

test('counts of the same length of time', () => {
  expect(compareCounts(30, 10)).toBe('more');
  expect(compareCounts(10, 30)).toBe('less');
  expect(compareCounts(12, 9)).toBe('chance');
  expect(compareCounts(6, 0)).toBe('too_few');
});
