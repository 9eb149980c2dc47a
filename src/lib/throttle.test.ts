import { expect, test } from 'vitest';
import { createThrottle } from './throttle.ts';

const RULE = { triesMax: 3, refillMs: 10_000, keysMax: 100 };

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

test('a refused try does not lengthen the wait', () => {
  const throttle = createThrottle(RULE, () => 0);
  for (let i = 0; i < 3; i++) throttle.take('a');
  for (let i = 0; i < 50; i++) expect(throttle.take('a')).toBe(10);
});

test('the number of keys is bounded: the one that waited longest is forgotten', () => {
  const throttle = createThrottle(RULE, () => 0);
  for (let i = 0; i < 3; i++) throttle.take('first');
  for (let i = 0; i < 99; i++) throttle.take(`other ${i}`);
  expect(throttle.take('first')).not.toBeNull();
  throttle.take('one too many');
  expect(throttle.take('first')).toBeNull();
});
