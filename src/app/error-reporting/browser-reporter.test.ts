import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { flushIdleLogs } from './browser-reporter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('logs are sent five seconds after the last of them', () => {
  const flushedAt: number[] = [];
  const startedAt = Date.now();
  let log = () => {};
  flushIdleLogs({
    on(_, listener) {
      log = listener;
    },
    emit() {
      flushedAt.push(Date.now() - startedAt);
    },
  });
  log();
  vi.advanceTimersByTime(4_000);
  log();
  vi.advanceTimersByTime(20_000);
  log();
  vi.advanceTimersByTime(20_000);
  expect(flushedAt).toEqual([9_000, 29_000]);
});
