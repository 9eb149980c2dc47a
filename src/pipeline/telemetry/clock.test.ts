import { describe, expect, test } from 'vitest';
import { placeInTime } from './clock.ts';

const RECEIVED_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
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
