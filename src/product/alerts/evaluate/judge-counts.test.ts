import { expect, test } from 'vitest';
import { CountMemory } from './judge-counts.ts';

test('what was counted is asked again once it may have become enough, after a minute, and after a merge was undone', () => {
  const memory = new CountMemory();
  expect(memory.isBelow('a', 10, 100, 0)).toBe(false);
  memory.note('a', 4, 100, 0);
  expect(memory.isBelow('a', 10, 106, 1_000)).toBe(true);
  expect(memory.isBelow('a', 10, 107, 1_000)).toBe(false);
  expect(memory.isBelow('a', 10, 99, 1_000)).toBe(false);
  expect(memory.isBelow('a', 10, 100, 60_001)).toBe(false);
});

test('what was too much to be counted is left alone for a minute', () => {
  const memory = new CountMemory();
  memory.note('a', 4, 100, 0);
  expect(memory.isTooMuch('a', 0)).toBe(false);
  memory.note('a', Number.POSITIVE_INFINITY, 100, 0);
  expect(memory.isTooMuch('a', 60_000)).toBe(true);
  expect(memory.isTooMuch('a', 60_001)).toBe(false);
  expect(memory.isBelow('a', 10, 100, 0)).toBe(false);
});

test('only so many are remembered, the newest', () => {
  const memory = new CountMemory();
  for (let index = 0; index < 60_000; index++) memory.note(`${index}`, 0, 0, 0);
  expect(memory.isBelow('0', 10, 0, 0)).toBe(false);
  expect(memory.isBelow('59999', 10, 0, 0)).toBe(true);
});
