import { expect, test } from 'vitest';
import { afterBreak, afterFailures, afterRefusals, LIVE_LABELS } from './live-state.ts';

test('a page that was connected says that it connects again', () => {
  expect(LIVE_LABELS[afterBreak('live')].label).toBe('reconnecting');
  expect(LIVE_LABELS[afterBreak('lost')].label).toBe('reconnecting');
});

test('a page that refreshed itself, and is told nothing any more, says that it connects again', () => {
  expect(LIVE_LABELS[afterBreak('polling')].label).toBe('reconnecting');
});

test('a page whose server fails tries again, more and more slowly', () => {
  expect([1, 2, 3, 4, 5, 50].map((failures) => afterFailures(failures).retryMs)).toEqual([
    5_000, 10_000, 20_000, 40_000, 60_000, 60_000,
  ]);
});

test('a page that was never connected goes on connecting', () => {
  expect(afterBreak('connecting')).toBe('connecting');
});

test('a page that is refused tries again soon, then says that it is paused and refreshes itself', () => {
  expect(afterRefusals(1)).toEqual({ isPolling: false, retryMs: 5_000 });
  expect(afterRefusals(2)).toEqual({ isPolling: true, retryMs: 30_000 });
  expect(LIVE_LABELS.polling.label).toBe('paused');
});
