import { expect, it } from 'vitest';
import { bucketTotals, type ChartSeries, stackedPath } from './chart-series.ts';

const series = (values: readonly number[]): ChartSeries => ({ label: 'x', color: 'red', values });

it('adds what all series have in each bucket, and shorter ones have nothing at the end', () => {
  expect(bucketTotals([series([1, 2, 3]), series([10])], 4)).toEqual([11, 2, 3, 0]);
});

it('stands each bar on those below it', () => {
  const path = stackedPath([series([50, 0])], series([25, 100]), { height: 100, top: 100 });
  expect(path).toBe('M0 50V25h8V50zM10 100V0h8V100z');
});

it('draws nothing for zero, and something for very little', () => {
  expect(stackedPath([series([5])], series([0]), { height: 100, top: 100 })).toBe('');
  expect(stackedPath([series([0])], series([1]), { height: 100, top: 10_000 })).toBe('M0 100V98.5h8V100z');
});
