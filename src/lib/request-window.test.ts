import { expect, test } from 'vitest';
import { createRecentKeys, createRequestWindow, createSlotsByKey } from './request-window.ts';

const RULE = { requestsMax: 3, windowMs: 60_000, keysMax: 100 };

test('requests are counted down until the window ends, for each key by itself', () => {
  let nowMs = 90_000;
  const window = createRequestWindow(RULE, () => nowMs);
  expect([window.take('a'), window.take('a'), window.take('a')]).toEqual([
    { remaining: 2, resetAtMs: 120_000 },
    { remaining: 1, resetAtMs: 120_000 },
    { remaining: 0, resetAtMs: 120_000 },
  ]);
  expect(window.take('a')).toBeNull();
  expect(window.look('a')).toEqual({ remaining: 0, resetAtMs: 120_000 });
  expect(window.take('b')).toEqual({ remaining: 2, resetAtMs: 120_000 });
  nowMs = 119_999;
  expect(window.take('a')).toBeNull();
  nowMs = 120_000;
  expect(window.take('a')).toEqual({ remaining: 2, resetAtMs: 180_000 });
});

test('looking takes nothing', () => {
  const window = createRequestWindow(RULE, () => 0);
  for (let count = 0; count < 10; count++) window.look('a');
  expect(window.take('a')).toMatchObject({ remaining: 2 });
});

test('the number of keys is bounded: the one that came first is forgotten', () => {
  const window = createRequestWindow(RULE, () => 0);
  for (let count = 0; count < 3; count++) window.take('first');
  for (let count = 0; count < 99; count++) window.take(`other ${count}`);
  expect(window.take('first')).toBeNull();
  window.take('one too many');
  expect(window.take('first')).toMatchObject({ remaining: 2 });
});

test('a key has so many slots, and others theirs', () => {
  const slots = createSlotsByKey(2);
  const [first, second] = [slots.enter('a'), slots.enter('a')];
  expect(slots.enter('a')).toBeNull();
  expect([slots.free('a'), slots.free('b')]).toEqual([0, 2]);
  expect(slots.enter('b')).not.toBeNull();
  first?.();
  // Given back once, however often it is said.
  first?.();
  expect(slots.free('a')).toBe(1);
  expect(slots.enter('a')).not.toBeNull();
  expect(slots.enter('a')).toBeNull();
  second?.();
});

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

test('two windows that tell each other what they count have one limit', () => {
  let nowMs = 90_000;
  const [one, other] = [createRequestWindow(RULE, () => nowMs), createRequestWindow(RULE, () => nowMs)];
  one.take('a');
  one.take('a');
  other.take('a');
  let total = 0;
  for (const window of [one, other]) {
    for (const added of window.listAdded(10)) {
      total += added.added;
      // Meanwhile it goes on counting.
      if (window === other) other.take('b');
      window.learn(added, total);
    }
  }
  expect(other.take('a')).toBeNull();
  expect(other.listAdded(10)).toEqual([{ key: 'b', windowEndMs: 120_000, added: 1 }]);
  expect(one.take('a')).toEqual({ remaining: 0, resetAtMs: 120_000 });
  nowMs = 120_000;
  expect(other.listAdded(10)).toEqual([]);
  expect(other.take('a')).toEqual({ remaining: 2, resetAtMs: 180_000 });
});
