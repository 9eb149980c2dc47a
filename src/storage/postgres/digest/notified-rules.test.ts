import { expect, test } from 'vitest';
import type { EventHit } from '#storage/ports/digest.ts';
import { NotifiedRules } from './notified-rules.ts';

const first = (ruleId: number, ruleVersion = 1): EventHit => ({
  ruleId,
  ruleVersion,
  kind: 'first_seen',
  verdict: 'unread',
  frequencyMs: 60_000,
});

test('what is settled stays settled while others are quiet, until the rule is changed', () => {
  const notified = new NotifiedRules({ quietMax: 10 });
  notified.settle(first(1), 1);
  for (let issueId = 0; issueId < 20; issueId++)
    notified.keepQuiet({ ...first(2), kind: 'event' }, issueId, 100);
  expect(notified.isNotified(first(1), 1, 1e15)).toBe(true);
  expect(notified.isNotified(first(1), 2, 0)).toBe(false);
  expect(notified.isNotified({ ...first(1), kind: 'event' }, 1, 0)).toBe(false);
  expect(notified.isNotified(first(1, 2), 1, 0)).toBe(false);
  notified.settle(first(1, 2), 5);
  expect([notified.isNotified(first(1), 1, 0), notified.isNotified(first(1, 2), 5, 0)]).toEqual([
    false,
    true,
  ]);
});

test('a rule is quiet until its time is over', () => {
  const notified = new NotifiedRules();
  const hit = { ...first(1), kind: 'event' } as const;
  notified.keepQuiet(hit, 1, 100);
  expect([notified.isNotified(hit, 1, 99), notified.isNotified(hit, 1, 100)]).toEqual([true, false]);
});

test('at the bound the rule that was settled first is forgotten', () => {
  const notified = new NotifiedRules({ settledMax: 3 });
  for (const issueId of [1, 2]) notified.settle(first(1), issueId);
  for (const issueId of [1, 2]) notified.settle(first(2), issueId);
  expect([notified.isNotified(first(1), 1, 0), notified.isNotified(first(2), 1, 0)]).toEqual([false, true]);
  notified.settle(first(2), 2);
  notified.settle(first(2), 3);
  expect(notified.isNotified(first(2), 1, 0)).toBe(true);
});
