import { expect, test } from 'vitest';
import { fitLines } from './fit-lines.ts';

test('as many rows as fit, and the end always', () => {
  const rows = ['one', 'two', 'three'];
  const within = (max: number, end: string | null = 'end') =>
    fitLines(rows, end, (text) => text.length <= max);
  expect(within(100)).toBe('one\ntwo\nthree\nend');
  expect(within(12)).toBe('one\ntwo\nend');
  expect(within(5)).toBe('end');
  expect(within(8, null)).toBe('one\ntwo');
  expect(within(1, null)).toBe('');
});
