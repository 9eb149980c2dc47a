import { expect, test } from 'vitest';
import { hasFailed } from './has-failed.ts';

test('a span failed by its status, and not when it was canceled or tells nothing', () => {
  expect(['error', 'internal_error', 'not_found'].map(hasFailed)).toEqual([true, true, true]);
  expect(['ok', 'cancelled', 'unknown', ''].map(hasFailed)).toEqual([false, false, false, false]);
});
