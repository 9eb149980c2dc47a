import { expect, test } from 'vitest';
import { afterBreak, LIVE_WORDS } from './live-state.ts';

test('a page that was connected says that it connects again', () => {
  expect(LIVE_WORDS[afterBreak('live')].label).toBe('reconnecting');
  expect(LIVE_WORDS[afterBreak('lost')].label).toBe('reconnecting');
});

test('a page that was never connected goes on connecting', () => {
  expect(afterBreak('connecting')).toBe('connecting');
});
