import { expect, test } from 'vitest';
import { periodInput, rangeOf } from './inputs.ts';

const NOW_MS = 1_000 * 86_400_000;

test('a period ends a minute from now, for clocks that are ahead', () => {
  expect(rangeOf('24h', NOW_MS)).toEqual({ fromMs: NOW_MS - 86_400_000, toMs: NOW_MS + 60_000 });
  expect(rangeOf('2w', NOW_MS).fromMs).toBe(NOW_MS - 14 * 86_400_000);
});

test.each([
  ['1h', true],
  ['90d', true],
  ['2160h', true],
  ['91d', false],
  ['13w', false],
  ['0d', false],
  ['14', false],
  ['14days', false],
])('%s', (text, isPeriod) => {
  expect(periodInput.safeParse(text).success).toBe(isPeriod);
});
