import { expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { findSpoolWait, SPOOL_GONE_AFTER_MS } from './spool-wait.ts';

const ASKED_AT = Date.UTC(2026, 2, 1, 12);
const markAt = (spoolId: string, completeUntil: number) => ({
  spoolId,
  completeUntil,
  gaps: [],
  updatedAt: completeUntil,
});
const waitAt = (nowMs: number, ...completeUntil: readonly number[]) =>
  findSpoolWait(
    completeUntil.map((at, index) => markAt(`spool-${index}`, at)),
    ASKED_AT,
    nowMs,
  );
const NOTHING = { waitsFor: null, hasGivenUp: false };

test('everything is stored when every spool has passed the moment', () => {
  expect(waitAt(ASKED_AT)).toEqual(NOTHING);
  expect(waitAt(ASKED_AT, ASKED_AT, ASKED_AT + 1)).toEqual(NOTHING);
});

test('names the spool that is furthest behind, however long it has been silent', () => {
  const { waitsFor } = waitAt(ASKED_AT + 48 * HOUR_MS, ASKED_AT - 1, ASKED_AT, ASKED_AT - HOUR_MS);
  expect(waitsFor).toContain('2 of 3 spools');
  expect(waitsFor).toContain('Spool spool-2 is stored up to 2026-03-01T11:00:00.000Z');
});

test('one that stays behind for a week is given up, and long before the moment it is no loss', () => {
  const at = ASKED_AT - HOUR_MS;
  expect(waitAt(at + SPOOL_GONE_AFTER_MS - 1, at)).toMatchObject({
    waitsFor: expect.any(String),
    hasGivenUp: false,
  });
  expect(waitAt(at + SPOOL_GONE_AFTER_MS, at)).toEqual({ waitsFor: null, hasGivenUp: true });
  expect(waitAt(ASKED_AT, ASKED_AT - SPOOL_GONE_AFTER_MS)).toEqual(NOTHING);
});
