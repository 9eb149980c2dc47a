import { expect, test } from 'vitest';
import { scoreVital, scoreVitals, vitalsOf, WEB_VITALS } from './web-vitals.ts';

test('vitals among measurements are rated by their limits', () => {
  const found = vitalsOf({ cls: 0.3, lcp: 2_500, inp: 201, 'frames.total': 4, ttfb: -1, fcp: Number.NaN });
  expect(found.map(({ vital, value, rating }) => [vital.id, value, rating])).toEqual([
    ['lcp', 2_500, 'good'],
    ['inp', 201, 'fair'],
    ['cls', 0.3, 'poor'],
  ]);
});

test.each(WEB_VITALS)('$label scores 90 at the limit of good and 50 at that of poor', (vital) => {
  expect(scoreVital(vital, vital.good)).toBeCloseTo(90, 4);
  expect(scoreVital(vital, vital.poor)).toBeCloseTo(50, 4);
  expect(scoreVital(vital, 0)).toBe(100);
  expect(scoreVital(vital, vital.good / 100)).toBeGreaterThan(99.9);
  expect(scoreVital(vital, vital.poor * 100)).toBeLessThan(0.1);
});

test('the score of a page is the average by weight of what was measured', () => {
  expect(WEB_VITALS.reduce((sum, { weight }) => sum + weight, 0)).toBe(100);
  expect(scoreVitals({ lcp: 4_000, ttfb: 800, 'frames.total': 4 })).toBeCloseTo((50 * 30 + 90 * 10) / 40, 4);
  expect(scoreVitals({})).toBeNull();
});
