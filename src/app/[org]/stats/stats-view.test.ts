import { expect, test } from 'vitest';
import type { OutcomeSeries } from '#storage/ports/digest.ts';
import { categoryTotals, outcomeTotals, parseStatsView, reasonTotals, STATS_RANGES } from './stats-view.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 10, 21, 1, 30);

test.each(Object.entries(STATS_RANGES))(
  '%s is made of whole bars of whole hours and holds the present',
  (key, bucketMs) => {
    const view = parseStatsView({ range: key }, NOW_MS);
    expect(view.rangeKey).toBe(key);
    expect(bucketMs % HOUR_MS).toBe(0);
    expect((view.range.toMs - view.range.fromMs) % bucketMs).toBe(0);
    expect((view.range.toMs - view.range.fromMs) / bucketMs).toBeLessThanOrEqual(46);
    expect(view.range.fromMs).toBeLessThan(NOW_MS);
    expect(view.range.toMs).toBeGreaterThan(NOW_MS);
  },
);

test('what the URL does not know falls back to something that can be shown', () => {
  expect(parseStatsView({ range: '5y', category: 'nonsense' }, NOW_MS)).toMatchObject({
    rangeKey: '14d',
    category: null,
    projectSlugs: [],
  });
  expect(parseStatsView({ range: '1h' }, NOW_MS).rangeKey).toBe('24h');
});

const SERIES: readonly OutcomeSeries[] = [
  { category: 'error', outcome: 'accepted', reason: '', buckets: [5, 0], total: 5 },
  { category: 'error', outcome: 'invalid', reason: 'duplicate', buckets: [1, 1], total: 2 },
  { category: 'error', outcome: 'invalid', reason: 'too_large', buckets: [0, 3], total: 3 },
  { category: 'session', outcome: 'filtered', reason: 'unsupported_item', buckets: [20, 0], total: 20 },
];

test('categories are listed by how much came of each, empty ones are not', () => {
  expect(categoryTotals(SERIES)).toEqual([
    { category: 'session', total: 20 },
    { category: 'error', total: 10 },
  ]);
});

test('reasons of one outcome add up in the chart and stay apart in the table', () => {
  const invalid = outcomeTotals(SERIES, 'error', 2).find((each) => each.outcome === 'invalid');
  expect(invalid).toEqual({ outcome: 'invalid', total: 5, buckets: [1, 4] });
  expect(reasonTotals(SERIES, 'error')).toEqual([
    { outcome: 'invalid', reason: 'too_large', total: 3 },
    { outcome: 'invalid', reason: 'duplicate', total: 2 },
    { outcome: 'accepted', reason: '', total: 5 },
  ]);
});
