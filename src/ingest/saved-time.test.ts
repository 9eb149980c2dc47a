import { expect, test } from 'vitest';
import { SavedTime } from './saved-time.ts';

test('what is spent comes back as time passes, up to all that can be saved', () => {
  const saved = new SavedTime({ savedMs: 1_000, share: 0.5 });
  expect(saved.left(1, 0)).toBe(1_000);
  saved.spend(1, 1_200, 0);
  expect(saved.left(1, 0)).toBe(-200);
  expect(saved.left(1, 800)).toBe(200);
  saved.spend(1, 100, 800);
  expect(saved.left(1, 1_000)).toBe(200);
  expect(saved.left(1, 100_000)).toBe(1_000);
  expect(saved.left(2, 0)).toBe(1_000);
});

test('owners are remembered up to a number, those that spend last', () => {
  const saved = new SavedTime({ savedMs: 1_000, share: 0.5 });
  for (let owner = 1; owner <= 10_000; owner++) saved.spend(owner, 1_000, 0);
  saved.spend(1, 500, 0);
  saved.spend(10_001, 1_000, 0);
  expect([1, 2, 3, 10_001].map((owner) => saved.left(owner, 0))).toEqual([-500, 1_000, 0, 0]);
});
