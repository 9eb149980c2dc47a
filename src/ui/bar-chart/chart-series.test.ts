import { describe, expect, it } from 'vitest';
import { barsPath, bucketTotals, type ChartSeries, niceCeiling, stackedPath } from './chart-series.ts';

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

const box = { height: 24, barWidth: 3, gap: 1 };

describe('barsPath', () => {
  it('draws nothing for zero and something for one among thousands', () => {
    expect(barsPath([0, 0], box)).toBe('');
    expect(barsPath([1, 0, 10_000], box)).toBe('M0 24V22.5h3V24zM8 24V0h3V24z');
  });

  it('keeps within the scale it shares with others', () => {
    expect(barsPath([50, 200], { ...box, max: 100 })).toBe('M0 24V12h3V24zM4 24V0h3V24z');
  });
});

describe('niceCeiling', () => {
  it('is a round number that is not below the value', () => {
    expect([0, 1, 3, 7, 12, 24, 26, 842, 1_001].map(niceCeiling)).toEqual([
      1, 1, 3, 10, 20, 25, 50, 1_000, 2_000,
    ]);
  });
});
