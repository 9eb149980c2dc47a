import { describe, expect, it } from 'vitest';
import {
  formatAge,
  formatAgo,
  formatDateTime,
  formatDuration,
  formatMoments,
  formatSpan,
  formatTableTime,
  formatUntil,
} from './format-time.ts';

const now = Date.UTC(2026, 10, 21, 1, 28, 41);
const HOUR = 3_600_000;

describe('relative times', () => {
  it('grow from seconds to years', () => {
    const ages = [0, 45_000, 12 * 60_000, 3 * HOUR, 5 * 24 * HOUR, 60 * 24 * HOUR, 800 * 24 * HOUR];
    expect(ages.map((age) => formatAge(now - age, now))).toEqual([
      'now',
      '45s',
      '12m',
      '3h',
      '5d',
      '8w',
      '2y',
    ]);
    expect(formatAgo(now - 60_000, now)).toBe('1 minute ago');
    expect(formatAgo(now - 3 * 24 * HOUR, now)).toBe('3 days ago');
  });

  it('never lie in the future when clocks differ', () => {
    expect(formatAge(now + 90_000, now)).toBe('now');
    expect(formatAgo(now + 90_000, now)).toBe('just now');
  });
});

describe('times to come', () => {
  it.each([
    [1_000, 'now'],
    [45_000, 'in 45 seconds'],
    [58 * 60_000 + 30_000, 'in 58 minutes'],
    [HOUR, 'in 1 hour'],
    [23 * HOUR, 'in 23 hours'],
    [60 * HOUR, 'in 2 days'],
  ])('%i ms ahead are %s', (left, words) => expect(formatUntil(now + left, now)).toBe(words));
});

describe('two moments', () => {
  it('name their years unless both are in this one', () => {
    const [from, to] = [Date.UTC(2026, 10, 3, 10), Date.UTC(2026, 10, 5, 12)];
    expect(formatMoments(from, to, 'UTC', now)).toBe('Nov 3, 10:00 – Nov 5, 12:00');
    expect(formatMoments(Date.UTC(2025, 11, 31), to, 'UTC', now)).toBe(
      'Dec 31, 2025, 00:00 – Nov 5, 2026, 12:00',
    );
  });
});

describe('exact times', () => {
  it('leave the zone to the heading of their table', () => {
    expect(formatTableTime(now, 'Asia/Kolkata')).toBe('Nov 21, 2026, 06:58:41');
  });

  it('name their zone', () => {
    expect(formatDateTime(now, 'UTC')).toBe('Nov 21, 2026, 01:28:41 UTC');
    expect(formatDateTime(now, 'America/New_York')).toContain('Nov 20, 2026, 20:28:41');
  });

  it('tell the span of a bar in the zone of the reader', () => {
    const day = Date.UTC(2026, 10, 21);
    expect(formatSpan(day, day + 24 * HOUR, 'UTC')).toBe('Nov 21');
    expect(formatSpan(day, day + HOUR, 'UTC')).toBe('Nov 21, 00:00 – 01:00');
    expect(formatSpan(day - HOUR, day, 'UTC')).toBe('Nov 20, 23:00 – Nov 21, 00:00');
    expect(formatSpan(day, day + 24 * HOUR, 'Asia/Kolkata')).toBe('Nov 21, 05:30 – Nov 22, 05:30');
  });

  it('name lengths of time', () => {
    expect([HOUR, 6 * HOUR, 24 * HOUR, 600_000].map(formatDuration)).toEqual([
      '1 hour',
      '6 hours',
      '1 day',
      '10 minutes',
    ]);
  });
});
