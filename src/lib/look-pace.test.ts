import { expect, test } from 'vitest';
import { LookPace } from './look-pace.ts';

test('looks often for a minute after its start and after each find, and seldom while there is nothing', () => {
  let nowMs = 1_000;
  const pace = new LookPace(500, () => nowMs);
  expect(pace.waitMs).toBe(500);
  nowMs += 59_999;
  expect(pace.waitMs).toBe(500);
  nowMs += 1;
  expect(pace.waitMs).toBe(5_000);
  pace.found();
  expect(pace.waitMs).toBe(500);
});
