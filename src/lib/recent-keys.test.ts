import { expect, test } from 'vitest';
import { createRecentKeys } from './recent-keys.ts';

test('a key is remembered for a while after it was added last', () => {
  let nowMs = 0;
  const keys = createRecentKeys({ keptMs: 1_000, keysMax: 10 }, () => nowMs);
  keys.add('a');
  expect([keys.has('a'), keys.has('b')]).toEqual([true, false]);
  nowMs = 900;
  keys.add('a');
  nowMs = 1_899;
  expect(keys.has('a')).toBe(true);
  nowMs = 1_900;
  expect(keys.has('a')).toBe(false);
});

test('a key that is deleted is forgotten, and so is the oldest of too many', () => {
  const keys = createRecentKeys({ keptMs: 1_000, keysMax: 2 }, () => 0);
  keys.add('a');
  keys.add('b');
  keys.add('a');
  keys.add('c');
  expect(['a', 'b', 'c'].filter((key) => keys.has(key))).toEqual(['a', 'c']);
  keys.delete('a');
  expect(keys.has('a')).toBe(false);
});
