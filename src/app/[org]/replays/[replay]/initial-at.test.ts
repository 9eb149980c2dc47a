import { expect, test } from 'vitest';
import { findInitialAt } from './initial-at.ts';

const REPLAY = { startedAt: 1_764_000_000_000, durationMs: 60_000 };

test.each([
  [null, null, 0],
  ['12', null, 12_000],
  ['1.5', null, 1_500],
  ['9999', null, 60_000],
  ['-3', null, 0],
  ['x', null, 0],
  [null, String(REPLAY.startedAt + 42_000), 40_000],
  [null, String(REPLAY.startedAt + 1_000), 0],
  [null, '5', 0],
  ['12', String(REPLAY.startedAt + 42_000), 12_000],
])('t=%s and at=%s begin at %i ms', (t, at, expected) => {
  expect(findInitialAt({ t, at }, REPLAY)).toBe(expected);
});
