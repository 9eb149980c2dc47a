import { expect, test } from 'vitest';
import { timeEntries } from '#app/url-state.ts';
import { parseWeek, weekLabel, weeksBefore, weekTime } from './week-state.ts';

const SUNDAY = Date.parse('2026-11-22T10:00:00Z');

test('a week is named by its Monday', () => {
  expect(parseWeek({ week: '2026-11-09' }, SUNDAY)).toEqual({
    week: '2026-11-09',
    endsAtMs: Date.parse('2026-11-16T00:00:00Z'),
  });
  // The one that is not over ends now.
  expect(parseWeek({ week: '2026-11-16' }, SUNDAY)).toEqual({ week: '2026-11-16', endsAtMs: SUNDAY });
});

test.each([undefined, '2026-11-10', '2026-11-23', '2026-13-01', 'last', ''])(
  '%s shows the last seven days',
  (week) => {
    expect(parseWeek({ week }, SUNDAY)).toEqual({ week: null, endsAtMs: null });
  },
);

test('other pages are led to the days that are shown', () => {
  const range = { fromMs: Date.parse('2026-11-09T00:00:00Z'), toMs: Date.parse('2026-11-16T00:00:00Z') };
  expect(timeEntries(weekTime(range.toMs, range))).toEqual({
    range: null,
    start: '2026-11-09T00:00:00Z',
    end: '2026-11-16T00:00:00Z',
  });
  expect(timeEntries(weekTime(null, range))).toEqual({ range: '7d', start: null, end: null });
});

test('the weeks before, and their days in words', () => {
  expect(weeksBefore(SUNDAY)).toEqual(['2026-11-09', '2026-11-02', '2026-10-26', '2026-10-19']);
  expect(weeksBefore(SUNDAY).map(weekLabel)).toEqual([
    'Nov 9 – 15',
    'Nov 2 – 8',
    'Oct 26 – Nov 1',
    'Oct 19 – 25',
  ]);
});
