import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareLines, treeLines } from './compare-groupings.ts';

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

test('each part stands before what it holds, and what lies under a part that does not count does not count either', () => {
  const leaf = (value: string, contributes = true) => ({
    id: 'function',
    name: null,
    contributes,
    hint: contributes ? null : 'too generic',
    values: [value],
  });
  const lines = treeLines({
    id: 'stacktrace',
    name: 'stack trace',
    contributes: true,
    hint: null,
    values: [
      { id: 'frame', name: null, contributes: false, hint: 'not in app', values: [leaf('run')] },
      { id: 'frame', name: null, contributes: true, hint: null, values: [leaf('pay'), leaf('call', false)] },
    ],
  });
  expect(lines.map(({ depth, label, value, contributes }) => [depth, label, value, contributes])).toEqual([
    [0, 'stack trace', null, true],
    [1, 'frame', null, false],
    [2, 'function', 'run', false],
    [1, 'frame', null, true],
    [2, 'function', 'pay', true],
    [2, 'function', 'call', false],
  ]);
});
