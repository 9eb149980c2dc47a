import { describe, expect, it } from 'vitest';
import { timeTicks, zoneOffsetMs } from './time-ticks.ts';

const HOUR = 3_600_000;
const from = Date.UTC(2026, 10, 7, 5, 17);

describe('timeTicks', () => {
  it('stand at midnight of the reader for long ranges', () => {
    const { ticks, unit } = timeTicks({ fromMs: from, toMs: from + 14 * 24 * HOUR }, 'Asia/Kolkata', 6);
    expect(unit).toBe('day');
    for (const tick of ticks) expect((tick + 5.5 * HOUR) % (24 * HOUR)).toBe(0);
  });

  it('are few and within the range, whatever its length', () => {
    for (const length of [HOUR, 24 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR, 90 * 24 * HOUR, 400 * 24 * HOUR]) {
      const { ticks } = timeTicks({ fromMs: from, toMs: from + length }, 'UTC', 6);
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(Math.min(...ticks)).toBeGreaterThanOrEqual(from);
      expect(Math.max(...ticks)).toBeLessThan(from + length);
    }
  });

  it('knows zones ahead of, behind and at UTC', () => {
    expect(zoneOffsetMs(from, 'Asia/Kolkata')).toBe(5.5 * HOUR);
    expect(zoneOffsetMs(from, 'America/New_York')).toBe(-5 * HOUR);
    expect(zoneOffsetMs(from, 'UTC')).toBe(0);
  });
});
