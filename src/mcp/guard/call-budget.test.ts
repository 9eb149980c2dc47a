import { expect, test } from 'vitest';
import { createCallBudget } from './call-budget.ts';

test('a token has 120 messages at once, then 2 a second, and others theirs', () => {
  let nowMs = 0;
  const budget = createCallBudget(() => nowMs);
  const take = (token = 'a', messages = 1) => {
    const taken = budget.take(token, messages);
    if ('release' in taken) taken.release();
    return 'release' in taken ? null : taken.retryAfterSeconds;
  };
  for (let taken = 0; taken < 120; taken += 20) expect(take('a', 20)).toBeNull();
  expect(take()).toBe(1);
  expect(take('b')).toBeNull();
  nowMs = 1_000;
  expect([take(), take(), take()]).toEqual([null, null, 1]);
});

test('20 messages of a token are answered at the same time, in however many requests', () => {
  const budget = createCallBudget(() => 0);
  const [first] = [budget.take('a', 19), budget.take('a', 1)];
  expect(budget.take('a', 1)).toEqual({ retryAfterSeconds: 1 });
  expect(budget.take('b', 20)).toHaveProperty('release');
  if (first && 'release' in first) first.release();
  expect(budget.take('a', 20)).toEqual({ retryAfterSeconds: 1 });
  expect(budget.take('a', 19)).toHaveProperty('release');
});
