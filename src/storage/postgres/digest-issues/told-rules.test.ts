import { expect, test } from 'vitest';
import type { EventHit } from '#storage/ports/digest.ts';
import { ToldRules } from './told-rules.ts';

const first = (ruleId: number, ruleVersion = 1): EventHit => ({
  ruleId,
  ruleVersion,
  kind: 'first_seen',
  verdict: 'unread',
  frequencyMs: 60_000,
});

test('what is settled stays settled while others are quiet, until the rule is changed', () => {
  const told = new ToldRules({ quietMax: 10 });
  told.settle(first(1), 1);
  for (let issueId = 0; issueId < 20; issueId++) told.keepQuiet({ ...first(2), kind: 'event' }, issueId, 100);
  expect(told.isTold(first(1), 1, 1e15)).toBe(true);
  expect(told.isTold(first(1), 2, 0)).toBe(false);
  expect(told.isTold({ ...first(1), kind: 'event' }, 1, 0)).toBe(false);
  expect(told.isTold(first(1, 2), 1, 0)).toBe(false);
  told.settle(first(1, 2), 5);
  expect([told.isTold(first(1), 1, 0), told.isTold(first(1, 2), 5, 0)]).toEqual([false, true]);
});

test('a rule is quiet until its time is over', () => {
  const told = new ToldRules();
  const hit = { ...first(1), kind: 'event' } as const;
  told.keepQuiet(hit, 1, 100);
  expect([told.isTold(hit, 1, 99), told.isTold(hit, 1, 100)]).toEqual([true, false]);
});

test('at the bound the rule that was settled first is forgotten', () => {
  const told = new ToldRules({ settledMax: 3 });
  for (const issueId of [1, 2]) told.settle(first(1), issueId);
  for (const issueId of [1, 2]) told.settle(first(2), issueId);
  expect([told.isTold(first(1), 1, 0), told.isTold(first(2), 1, 0)]).toEqual([false, true]);
  told.settle(first(2), 2);
  told.settle(first(2), 3);
  expect(told.isTold(first(2), 1, 0)).toBe(true);
});
