import { expect, test } from 'vitest';
import { vitalsOf } from './web-vitals.ts';

test('vitals among measurements are rated by their limits', () => {
  const found = vitalsOf({ cls: 0.3, lcp: 2_500, inp: 201, 'frames.total': 4, ttfb: -1, fcp: Number.NaN });
  expect(found.map(({ vital, value, rating }) => [vital.id, value, rating])).toEqual([
    ['lcp', 2_500, 'good'],
    ['inp', 201, 'fair'],
    ['cls', 0.3, 'poor'],
  ]);
});
