import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '#lib/time.ts';
import { refuseParameters } from './query.ts';
import { readLimit, readRange, readSort, readStatsWindow, statsWindow } from './query-values.ts';

const NOW_MS = Date.UTC(2026, 3, 5, 10, 17, 3);
const ask = (query: string) => new URLSearchParams(query);
const refused = (field: string) => expect.objectContaining({ code: 'invalid', field });

describe('limit', () => {
  test('is 100 unless asked for less', () => {
    expect(readLimit(ask(''))).toBe(100);
    expect(readLimit(ask('limit='))).toBe(100);
    expect(readLimit(ask('limit=25'))).toBe(25);
    expect(readLimit(ask('per_page=7'))).toBe(7);
    expect(readLimit(ask('limit=101'))).toBe(100);
    expect(readLimit(ask('limit=10000'))).toBe(100);
  });

  test.each(['0', '-1', '1.5', 'ten', '1e2'])('%s is refused', (text) => {
    expect(() => readLimit(ask(`limit=${text}`))).toThrow(refused('limit'));
  });
});

test('sort is by date unless asked otherwise; what cannot be sorted by is named', () => {
  expect(readSort(ask(''))).toBe('date');
  expect(readSort(ask('sort=freq'))).toBe('freq');
  expect(() => readSort(ask('sort=inbox'))).toThrow(
    /"inbox" is not supported: choose one of date, new, trends/,
  );
});

describe('the time range', () => {
  test('is any time without parameters', () => {
    expect(readRange(ask(''), NOW_MS)).toBeNull();
    expect(readRange(ask('statsPeriod='), NOW_MS)).toBeNull();
  });

  test.each<[string, number]>([
    ['30m', HOUR_MS / 2],
    ['24h', DAY_MS],
    ['14d', 14 * DAY_MS],
    ['2w', 14 * DAY_MS],
  ])('statsPeriod=%s ends now', (period, lengthMs) => {
    expect(readRange(ask(`statsPeriod=${period}`), NOW_MS)).toEqual({
      fromMs: NOW_MS - lengthMs,
      toMs: NOW_MS,
    });
  });

  test.each(['soon', '0h', '-1h', '1.5h', 'h', '24', '91d', '14 d'])(
    'statsPeriod=%s is refused',
    (period) => {
      expect(() => readRange(ask(`statsPeriod=${encodeURIComponent(period)}`), NOW_MS)).toThrow(
        refused('statsPeriod'),
      );
    },
  );

  test('start and end are read as UTC where they name no zone', () => {
    const fromMs = Date.UTC(2026, 0, 1, 12);
    for (const start of ['2026-01-01T12:00:00', '2026-01-01T12:00:00Z', '2026-01-01T13:00:00%2B01:00']) {
      expect(readRange(ask(`start=${start}&end=2026-01-02`), NOW_MS)).toEqual({
        fromMs,
        toMs: Date.UTC(2026, 0, 2),
      });
    }
  });

  test('half a range, a reversed one and what is no time are refused', () => {
    expect(() => readRange(ask('start=2026-01-01'), NOW_MS)).toThrow(refused('end'));
    expect(() => readRange(ask('end=2026-01-01'), NOW_MS)).toThrow(refused('start'));
    expect(() => readRange(ask('start=2026-01-02&end=2026-01-01'), NOW_MS)).toThrow(/before end/);
    expect(() => readRange(ask('start=yesterday&end=2026-01-01'), NOW_MS)).toThrow(refused('start'));
  });
});

describe('the period of stats', () => {
  test('is 24 hours, by the hour, unless asked otherwise', () => {
    const window = readStatsWindow(ask(''), NOW_MS);
    expect(window).toEqual({
      name: '24h',
      bucketMs: HOUR_MS,
      range: { fromMs: Date.UTC(2026, 3, 4, 11), toMs: Date.UTC(2026, 3, 5, 11) },
    });
  });

  test.each([
    ['24h', 24],
    ['14d', 14],
    ['30d', 30],
  ])('%s has %i buckets, of which the last is the current one', (name, buckets) => {
    const { range, bucketMs } = statsWindow(name, NOW_MS);
    expect((range.toMs - range.fromMs) / bucketMs).toBe(buckets);
    expect(range.toMs).toBeGreaterThanOrEqual(NOW_MS);
    expect(range.toMs - bucketMs).toBeLessThan(NOW_MS);
  });

  test('an empty one asks for no stats, and groupStatsPeriod goes before statsPeriod', () => {
    expect(readStatsWindow(ask('statsPeriod='), NOW_MS)).toBeNull();
    expect(readStatsWindow(ask('statsPeriod=1h&groupStatsPeriod=14d'), NOW_MS)?.name).toBe('14d');
  });

  test('"auto" follows the range of the list', () => {
    const window = readStatsWindow(ask('statsPeriod=7d&groupStatsPeriod=auto'), NOW_MS);
    expect(window?.name).toBe('auto');
    expect((window?.range.toMs ?? 0) - (window?.range.fromMs ?? 0)).toBe(7 * DAY_MS);
  });
});

test('a filter that would be left out is refused', () => {
  expect(() => refuseParameters(ask('environment=prod'), ['environment'])).toThrow(refused('environment'));
  expect(() => refuseParameters(ask('environment=&query=x'), ['environment'])).not.toThrow();
});
