import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { compileGlob, compileGlobs } from './glob.ts';

const isMatch = (pattern: string, text: string): boolean => compileGlobs([pattern])?.(text) ?? false;

test.each([
  ['1.2.3', '1.2.3'],
  ['1.*', '1.2.3'],
  ['*', ''],
  ['*', 'anything\nover two lines'],
  ['*Loading chunk*', 'Error: LOADING CHUNK 4 failed'],
  ['a*b*c', 'a--b--b--c'],
  ['a**c', 'ac'],
  ['*?*', 'x'],
  ['a?c', 'a😀c'],
  ['v[0-9].[!a-z]', 'V1.2'],
  ['[A-C]x', 'bX'],
  ['[a-]', '-'],
  ['[\\]]', ']'],
  ['\\*\\?\\[\\{\\}', '*?[{}'],
  ['a,b', 'a,b'],
  ['err {418,42?}!', 'ERR 425!'],
  ['{*,x}y', 'anything y'],
  ['x{}y', 'xy'],
  ['x{,a}', 'xa'],
  ['?*?', 'ab'],
  ['*ab', 'aab'],
  ['*[ab]c*', 'xxbcxx'],
])('%j matches %j', (pattern, text) => {
  expect(isMatch(pattern, text)).toBe(true);
});

test.each([
  ['', ''],
  ['', 'a'],
  ['1.2', '1.2.3'],
  ['?', ''],
  ['?*?', 'a'],
  ['a*a', 'a'],
  ['ab*bc', 'abc'],
  ['[!a]', 'A'],
  ['1.2.3', '1x2x3'],
  ['x{,a}', 'x'],
  ['a[bc]*d', 'axd'],
])('%j does not match %j', (pattern, text) => {
  expect(isMatch(pattern, text)).toBe(false);
});

test.each([
  ['[a', 'unclosed'],
  ['a]', 'unmatched'],
  ['{a', 'unclosed'],
  ['a}', 'unmatched'],
  ['{a{b}}', 'cannot be nested'],
  ['a\\', 'trailing'],
  ['[z-a]', 'out of order'],
  ['[]', 'empty character class'],
  ['{a,b}'.repeat(7), 'combinations'],
  ['x'.repeat(1_025), 'at most'],
])('%j is refused', (pattern, problem) => {
  expect(compileGlob(pattern)).toEqual({ glob: null, problem: expect.stringContaining(problem) });
});

test('patterns that cannot be read leave the others alone', () => {
  expect(compileGlobs(['[', ''])?.('[')).toBe(false);
  expect(compileGlobs(['['])).toBeNull();
  expect(compileGlobs(['[', 'good*'])?.('goodness')).toBe(true);
});

test('agrees with regular expressions on every small pattern', () => {
  const piece = fc.constantFrom('a', 'b', 'c', '*', '?', '[ab]', '[!b]', '{a,bc}', '{?,b*}', '\\*');
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '*'), maxLength: 9 });
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), text, (pieces, sample) => {
      expect([pieces.join(''), sample, isMatch(pieces.join(''), sample)]).toEqual([
        pieces.join(''),
        sample,
        asRegularExpression(pieces).test(sample),
      ]);
    }),
    { numRuns: 3_000 },
  );
});

const EXPRESSIONS: Readonly<Record<string, string>> = {
  '*': '.*',
  '?': '.',
  '[!b]': '[^b]',
  '{a,bc}': '(?:a|bc)',
  '{?,b*}': '(?:.|b.*)',
};
const asRegularExpression = (pieces: readonly string[]): RegExp =>
  new RegExp(`^${pieces.map((piece) => EXPRESSIONS[piece] ?? piece).join('')}$`, 's');

test('no pattern is slow, whatever the text', () => {
  const text = 'a'.repeat(20_000);
  const patterns = [
    `${'*a'.repeat(30)}*b`,
    `${'*a?'.repeat(30)}b`,
    `${'*[ab]'.repeat(30)}c`,
    `${'{*a,*b}'.repeat(6)}c`,
    `*${'a'.repeat(900)}?b*`,
  ];
  expect(withinMs(1_500, () => patterns.filter((pattern) => isMatch(pattern, text)))).toEqual([]);
});
