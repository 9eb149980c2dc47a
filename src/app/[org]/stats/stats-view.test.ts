import { expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import type { OutcomeSeries } from '#product/stats/outcome-store.ts';
import { categoryTotals, outcomeTotals, parseStatsView, reasonTotals } from './stats-view.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 1, 30);

test.each([
  ['24h', 1],
  ['7d', 6],
  ['14d', 12],
  ['30d', 24],
  ['90d', 48],
  ['3d', 2],
  ['52w', 14 * 24],
])('%s is made of whole bars of %i hours and holds the present', (range, hours) => {
  const view = parseStatsView({ range }, NOW_MS);
  expect(view.bucketMs).toBe(hours * HOUR_MS);
  expect((view.range.toMs - view.range.fromMs) % view.bucketMs).toBe(0);
  expect((view.range.toMs - view.range.fromMs) / view.bucketMs).toBeLessThanOrEqual(46);
  expect(view.range.fromMs).toBeLessThan(NOW_MS);
  expect(view.range.toMs).toBeGreaterThan(NOW_MS);
});

test('the last hour is shown whole, though it lies in two', () => {
  const { range } = parseStatsView({ range: '1h' }, NOW_MS);
  expect(range).toEqual({ fromMs: Date.UTC(2026, 10, 21), toMs: Date.UTC(2026, 10, 21, 2) });
});

test('a time that is over ends where it ends', () => {
  const { range } = parseStatsView({ start: '2026-11-01T00:00:00Z', end: '2026-11-02T00:00:00Z' }, NOW_MS);
  expect(range).toEqual({ fromMs: Date.UTC(2026, 10, 1), toMs: Date.UTC(2026, 10, 2) });
});

test('what the URL does not know falls back to something that can be shown', () => {
  expect(parseStatsView({ range: '5y', category: 'nonsense' }, NOW_MS)).toMatchObject({
    filters: { projects: [], time: { kind: 'last', period: '14d' } },
    category: null,
  });
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
