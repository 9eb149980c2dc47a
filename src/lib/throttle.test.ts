import { expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

const RULE = { triesMax: 3, refillMs: 10_000 };

test('tries run out, come back one by one, and never exceed the maximum', () => {
  let now = 1_000_000;
  const throttle = createThrottle(RULE, () => now);
  expect([throttle.take('a'), throttle.take('a'), throttle.take('a')]).toEqual([null, null, null]);
  expect(throttle.take('a')).toBe(10);
  now += 9_000;
  expect(throttle.take('a')).toBe(1);
  now += 1_000;
  expect(throttle.take('a')).toBeNull();
  expect(throttle.take('a')).toBe(10);
  now += 3_600_000;
  expect([throttle.take('a'), throttle.take('a'), throttle.take('a')]).toEqual([null, null, null]);
  expect(throttle.take('a')).not.toBeNull();
});

test('one key does not use up the tries of another, and a reset gives them back', () => {
  const throttle = createThrottle(RULE, () => 0);
  for (let i = 0; i < 3; i++) throttle.take('a');
  expect(throttle.take('b')).toBeNull();
  expect(throttle.take('a')).not.toBeNull();
  throttle.reset('a');
  expect(throttle.take('a')).toBeNull();
});

test('a try that is given back can be taken again, and nothing more', () => {
  const throttle = createThrottle(RULE, () => 0);
  throttle.giveBack('a');
  for (let i = 0; i < 3; i++) expect(throttle.take('a')).toBeNull();
  throttle.giveBack('a');
  expect([throttle.take('a'), throttle.take('a')]).toEqual([null, 10]);
});

test('a refused try does not lengthen the wait', () => {
  const throttle = createThrottle(RULE, () => 0);
  for (let i = 0; i < 3; i++) throttle.take('a');
  for (let i = 0; i < 50; i++) expect(throttle.take('a')).toBe(10);
});

test('however many other keys come, a key does not get its tries back', () => {
  const throttle = createThrottle(RULE, () => 0);
  for (let i = 0; i < 3; i++) throttle.take('first');
  for (let i = 0; i < 20_000; i++) throttle.take(`other ${i}`);
  expect(throttle.take('first')).toBe(10);
});

test('the number of slots is bounded, and keys share them', () => {
  const throttle = createThrottle({ triesMax: 1, refillMs: 10_000 }, () => 0);
  const keys = Array.from({ length: 80_000 }, (_, i) => `key ${i}`);
  const passed = keys.filter((key) => throttle.take(key) === null).length;
  expect(passed).toBeLessThanOrEqual(65_536);
  expect(passed).toBeGreaterThan(40_000);
});

test('which keys share a slot differs from process to process', () => {
  const refused = () => {
    const throttle = createThrottle({ triesMax: 1, refillMs: 10_000 }, () => 0);
    return Array.from({ length: 3_000 }, (_, i) => throttle.take(`key ${i}`) !== null);
  };
  expect(refused()).not.toEqual(refused());
});
