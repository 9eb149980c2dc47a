import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchIdleBody } from './idle-bodies.ts';
import { LIMITS } from './limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a body of which nothing arrives is given up once, one that goes on is not, nor one that has ended', () => {
  const given: string[] = [];
  watchIdleBody(() => given.push('silent'));
  const alive = watchIdleBody(() => given.push('alive'));
  watchIdleBody(() => given.push('ended')).end();
  for (let ms = 0; ms < LIMITS.bodyIdleMs * 3; ms += 1000) {
    alive.touch();
    if (ms < LIMITS.bodyIdleMs) expect(given).toEqual([]);
    vi.advanceTimersByTime(1000);
  }
  expect(given).toEqual(['silent']);
  alive.end();
  vi.advanceTimersByTime(LIMITS.bodyIdleMs * 3);
  expect(given).toEqual(['silent']);
  // The timer goes when nobody is watched, and comes back.
  expect(vi.getTimerCount()).toBe(0);
  watchIdleBody(() => given.push('later'));
  vi.advanceTimersByTime(LIMITS.bodyIdleMs * 2);
  expect(given).toEqual(['silent', 'later']);
});
