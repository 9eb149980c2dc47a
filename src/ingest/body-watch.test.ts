import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SECOND_MS } from '#lib/time.ts';
import type { SlowReason, WatchLimits } from './body-watch.ts';
import { REQUEST_BOUNDS } from './request-bounds.ts';

let watchBody: typeof import('./body-watch.ts').watchBody;
beforeEach(async () => {
  vi.useFakeTimers();
  // Without the timer of what others watched.
  vi.resetModules();
  ({ watchBody } = await import('./body-watch.ts'));
});
afterEach(() => {
  // Nobody is watched any more, and the timer goes.
  vi.advanceTimersByTime(REQUEST_BOUNDS.timeoutCheckMs);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

/** How a body ends that receives so many bytes each second, and after how many seconds. */
function follow(limits: WatchLimits, bytesPerSecond: number, seconds: number) {
  let ended: { reason: SlowReason; second: number } | null = null;
  let second = 0;
  const watch = watchBody(limits, (reason) => {
    ended = { reason, second };
  });
  for (; second < seconds && !ended; second++) {
    if (bytesPerSecond > 0) watch.received(bytesPerSecond);
    vi.advanceTimersByTime(SECOND_MS);
  }
  watch.end();
  return ended as { reason: SlowReason; second: number } | null;
}

describe('a body', () => {
  test('is as fast as it was lately, while it arrives', () => {
    const watch = watchBody({ idleMs: REQUEST_BOUNDS.bodyIdleMs }, () => {});
    watch.received(1_000_000);
    vi.advanceTimersByTime(REQUEST_BOUNDS.timeoutCheckMs);
    expect(watch.bytesPerSecond()).toBe(Number.POSITIVE_INFINITY);
    vi.advanceTimersByTime(REQUEST_BOUNDS.timeoutCheckMs);
    expect(watch.bytesPerSecond()).toBe(100_000);
    watch.received(1_000);
    vi.advanceTimersByTime(2 * REQUEST_BOUNDS.timeoutCheckMs);
    expect(watch.bytesPerSecond()).toBe(100);
    watch.end();
    expect(watch.bytesPerSecond()).toBe(Number.POSITIVE_INFINITY);
  });

  test('of which nothing arrives is given up, and one that moves is not', () => {
    const silent = follow({ idleMs: REQUEST_BOUNDS.bodyIdleMs }, 0, 120);
    expect(silent?.reason).toBe('idle');
    expect(silent?.second).toBeGreaterThanOrEqual(REQUEST_BOUNDS.bodyIdleMs / SECOND_MS);
    expect(silent?.second).toBeLessThanOrEqual(
      (REQUEST_BOUNDS.bodyIdleMs + 2 * REQUEST_BOUNDS.timeoutCheckMs) / SECOND_MS,
    );
    expect(follow({ idleMs: REQUEST_BOUNDS.bodyIdleMs }, 1, 600)).toBeNull();
  });

  test('that trickles is given up after the grace period, and a slow one goes on', () => {
    const limits = { idleMs: REQUEST_BOUNDS.bodyIdleMs, bytesPerSecondMin: 1_024 };
    expect(follow(limits, 1, 120)).toMatchObject({ reason: 'slow' });
    expect(follow(limits, 1_100, 3_000)).toBeNull();
  });

  test('that takes too long as a whole is given up', () => {
    expect(follow({ idleMs: REQUEST_BOUNDS.bodyIdleMs, totalMs: 300_000 }, 1, 400)).toMatchObject({
      reason: 'total',
    });
  });

  test('is not blamed for the time in which nobody reads it', () => {
    const given: string[] = [];
    const watch = watchBody({ idleMs: REQUEST_BOUNDS.bodyIdleMs, bytesPerSecondMin: 1_024 }, (why) =>
      given.push(why),
    );
    watch.pause();
    vi.advanceTimersByTime(10 * REQUEST_BOUNDS.bodyIdleMs);
    expect(given).toEqual([]);
    watch.resume();
    vi.advanceTimersByTime(2 * REQUEST_BOUNDS.bodyIdleMs);
    expect(given).toEqual(['idle']);
    watch.end();
  });

  test('that ended is watched no longer', () => {
    const given: string[] = [];
    watchBody({ idleMs: REQUEST_BOUNDS.bodyIdleMs }, (why) => given.push(why)).end();
    vi.advanceTimersByTime(10 * REQUEST_BOUNDS.bodyIdleMs);
    expect(given).toEqual([]);
  });
});
