import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareLines } from './compare-lines.ts';

const compare = (left: string, right: string) =>
  compareLines([...left], [...right], (line) => line)
    .map(({ side, line }) => `${{ both: ' ', left: '-', right: '+' }[side]}${line}`)
    .join('');

describe('compareLines', () => {
  test('shows what each side has besides the common lines', () => {
    expect(compare('abc', 'abc')).toBe(' a b c');
    expect(compare('abcd', 'axcd')).toBe(' a-b+x c d');
    expect(compare('', 'ab')).toBe('+a+b');
    expect(compare('ab', '')).toBe('-a-b');
  });

  test('both sides can be read off the result', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 30 });
    fc.assert(
      fc.property(lines, lines, (left, right) => {
        const compared = compareLines(left, right, (line) => line);
        const side = (hidden: 'left' | 'right') =>
          compared.filter((entry) => entry.side !== hidden).map(({ line }) => line);
        expect(side('right')).toEqual(left);
        expect(side('left')).toEqual(right);
      }),
    );
  });
});
