import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { microsecondsOf, microsecondsOfNanos, placeInTime } from './clock.ts';
import { parseSpanId, parseTraceId } from './row-identity.ts';

const RECEIVED_MS = 1_790_000_000_000;
const DAY_US = 86_400_000_000;
const place = (momentUs: number, sentAtMs: number | null = null) =>
  placeInTime(momentUs, { receivedAtMs: RECEIVED_MS, sentAtMs });
const nowUs = RECEIVED_MS * 1_000;

describe('the clock rules of an element', () => {
  test('a moment within the bounds stays', () => {
    for (const momentUs of [nowUs, nowUs + 59_000_000, nowUs - 29 * DAY_US]) {
      expect(place(momentUs)).toEqual({ shiftUs: 0, problem: null });
    }
  });

  test('a clock that is off by less than 55 minutes is believed, from there on it shifts', () => {
    expect(place(nowUs - 1_000_000, RECEIVED_MS - 54 * 60_000)).toEqual({ shiftUs: 0, problem: null });
    expect(place(nowUs - 2 * HOUR_MS * 1_000, RECEIVED_MS - HOUR_MS)).toEqual({
      shiftUs: HOUR_MS * 1_000,
      problem: 'clock_drift',
    });
  });

  test('what is over a minute ahead or over 30 days old moves to its arrival', () => {
    const ahead = nowUs + 61_000_000;
    expect(place(ahead)).toEqual({ shiftUs: nowUs - ahead, problem: 'future_timestamp' });
    const old = nowUs - 31 * DAY_US;
    expect(place(old)).toEqual({ shiftUs: nowUs - old, problem: 'past_timestamp' });
  });

  test('the year 9999 moves to its arrival too', () => {
    const far = 253_402_300_799_000_000;
    const { shiftUs, problem } = place(far);
    expect(problem).toBe('future_timestamp');
    expect(Math.abs(far + shiftUs - nowUs)).toBeLessThan(100);
  });
});

test.each([
  [1_790_000_000.123456, 1_790_000_000_123_456],
  ['2026-09-21T14:13:20.5Z', 1_790_000_000_500_000],
  ['soon', null],
  [null, null],
])('%j as microseconds is %j', (sent, expected) => {
  expect(microsecondsOf(sent)).toBe(expected);
});

test.each([
  ['1544712660300000123', 1_544_712_660_300_000],
  [1_544_712_660_300_000_000, 1_544_712_660_300_000],
  ['0', null],
  [0, null],
  ['-5', null],
  ['253402300799000000000', null],
  ['25340230079900000000', 25_340_230_079_900_000],
  ['999999999999999999999', null],
  ['1e9', null],
  [Number.POSITIVE_INFINITY, null],
  [{}, null],
])('%j nanoseconds are %j microseconds', (sent, expected) => {
  expect(microsecondsOfNanos(sent)).toBe(expected);
});

test('ids are read in any case, and never nil', () => {
  expect(parseTraceId('4C79F60C-1121-4EB3-8604-F4AE0781BFB2')).toBe('4c79f60c11214eb38604f4ae0781bfb2');
  expect(parseTraceId('0'.repeat(32))).toBeNull();
  expect(parseSpanId(' FA90FDEAD5F74052 ')).toBe('fa90fdead5f74052');
  for (const sent of [
    '0'.repeat(16),
    'fa90fdead5f7405',
    'fa90fdead5f74052aa',
    5,
    null,
    ['fa90fdead5f74052'],
  ]) {
    expect(parseSpanId(sent)).toBeNull();
  }
});
