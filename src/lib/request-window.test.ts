import { expect, test } from 'vitest';
import { createRequestWindow } from './request-window.ts';

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
