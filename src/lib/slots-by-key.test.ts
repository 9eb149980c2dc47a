import { expect, test } from 'vitest';
import { createSlotsByKey } from './slots-by-key.ts';

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
