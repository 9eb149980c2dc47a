import { expect, test } from 'vitest';
import { DAY_MS } from '#lib/time.ts';
import { sessionEndLabel } from './session-end-label.ts';

const LIMITS = { idleMsMax: 7 * DAY_MS, ageMsMax: 30 * DAY_MS };
const CREATED_AT = Date.parse('2026-11-01T12:00:00Z');

const wordsAfter = (usedDay: number) => {
  const lastUsedAt = CREATED_AT + usedDay * DAY_MS;
  const endsAt = Math.min(lastUsedAt + LIMITS.idleMsMax, CREATED_AT + LIMITS.ageMsMax);
  return sessionEndLabel({ createdAt: CREATED_AT, lastUsedAt, endsAt }, LIMITS);
};

test('a session that ends for want of use lasts longer when it is used', () => {
  expect(wordsAfter(2)).toBe('expires on Nov 10, 2026 unless used');
  expect(wordsAfter(22)).toBe('expires on Nov 30, 2026 unless used');
});

test('a session that is about to reach its age ends on that day, used or not', () => {
  expect(wordsAfter(23)).toBe('expires on Dec 1, 2026');
  expect(wordsAfter(29)).toBe('expires on Dec 1, 2026');
});
