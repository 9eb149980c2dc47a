import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileLinearPattern, type LinearPattern } from './linear-pattern.ts';

const STEPS = 50_000_000;

function compile(text: string): LinearPattern {
  const result = compileLinearPattern(text);
  if (!result.ok) throw new Error(`${text}: ${result.problem.message} at ${result.problem.position}`);
  return result.pattern;
}

const find = (pattern: string, text: string): string[] | null =>
  compile(pattern)
    .findAll(text, { steps: STEPS })
    ?.map(([start, end]) => text.slice(start, end)) ?? null;

describe('what patterns find', () => {
  test.each<[string, string, string[]]>([
    ['foo', 'foobarfoo', ['foo', 'foo']],
    ['(?i)foo', 'FOO fOo', ['FOO', 'fOo']],
    ['[w-z]+', 'abc wxyz', ['wxyz']],
    ['[^a-c]+', 'abcdef', ['def']],
    ['\\d{3}-\\d{2}', 'x 123-45 y', ['123-45']],
    ['a+?b', 'aaab', ['aaab']],
    ['a{2,3}', 'aaaaa', ['aaa', 'aa']],
    ['a|ab', 'ab', ['a']],
    ['ab|a', 'ab a', ['ab', 'a']],
    ['^foo$', 'foo', ['foo']],
    ['^foo$', 'foo\n', []],
    ['(?m)^foo$', 'x\nfoo\ny', ['foo']],
    ['\\bcat\\b', 'cat concat cat', ['cat', 'cat']],
    ['a.c', 'a\nc abc', ['abc']],
    ['(?s)a.c', 'a\nc', ['a\nc']],
    ['(?:ab)*c', 'ababc', ['ababc']],
    ['(a*)*b', 'aaab', ['aaab']],
    ['x*', 'axxb', ['xx']],
    ['[[:digit:]]+', 'ab12', ['12']],
    ['\\p{Lu}+', 'abÄÖc', ['ÄÖ']],
    ['\\x41\\u{42}', 'AB', ['AB']],
    ['[\\]\\-a]+', 'x]-a', [']-a']],
    ['a\\{2\\}', 'a{2}', ['a{2}']],
    ['(?i:A)b', 'ab aB', ['ab']],
    ['(?P<n>\\w+)@', 'ann@', ['ann@']],
    ['😀+', 'x😀y', ['😀']],
    ['.', '😀', ['😀']],
    ['', 'abc', []],
  ])('%s in %j', (pattern, text, expected) => {
    expect(find(pattern, text)).toEqual(expected);
  });

  test.each<[string, number, RegExp]>([
    ['a(b', 1, /Unclosed/],
    ['ab)', 2, /Unmatched/],
    ['[a-', 0, /Unclosed/],
    ['[z-a]', 2, /out of order/],
    ['*a', 0, /Nothing to repeat before/],
    ['a**', 0, /repeated twice/],
    ['a(?=b)', 1, /Lookahead/],
    ['(?<!a)b', 0, /Lookahead/],
    ['(a)\\1', 3, /Backreferences/],
    ['a{3', 1, /Write repetitions/],
    ['a{5,3}', 1, /smaller/],
    ['a{999}', 1, /at most/],
    ['\\q', 0, /Unknown escape/],
    ['\\', 0, /backslash/],
    ['(?x)a', 2, /Unknown flag/],
    ['(a{200}){200}', 0, /too large/],
    [`${'('.repeat(40)}a${')'.repeat(40)}`, 30, /deep/],
    ['(((){250}){250}){250}', 0, /too large/],
    ['a'.repeat(501), 500, /at most 500/],
  ])('refuses %s at %d', (pattern, position, message) => {
    const result = compileLinearPattern(pattern);
    expect(result).toMatchObject({ ok: false, problem: { position } });
    if (!result.ok) expect(result.problem.message).toMatch(message);
  });

  test.each([
    ['(a+)+$', `${'a'.repeat(50_000)}b`],
    ['(a|a)*$', `${'a'.repeat(50_000)}b`],
    ['(.*)(.*)(.*)x', 'a'.repeat(50_000)],
    ['a(.*x)?', 'a'.repeat(50_000)],
    ['(\\w+\\s?)+!', 'word '.repeat(10_000)],
  ])('%s takes linear time', (pattern, text) => {
    expect(compile(pattern).findAll(text, { steps: 20 * text.length })).not.toBeNull();
  });

  test('says when the budget ran out', () => {
    const budget = { steps: 1_000 };
    expect(compile('a*b').findAll('a'.repeat(10_000), budget)).toBeNull();
  });

  test('finds over the borders of windows', () => {
    const text = `${'x'.repeat(16_380)}secret-key${'x'.repeat(40_000)}secret-key`;
    expect(find('secret-key', text)).toEqual(['secret-key', 'secret-key']);
  });
});

describe('agreement with the engine of the language', () => {
  const atom = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\w',
    '\\d',
    '(?:a|b)',
    '(?:ab)',
    '(?:a|ab)',
    '\\b',
  );
  const piece = fc
    .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,2}', '*?', '+?'))
    .map(([one, quantifier]) => (one === '\\b' ? one : one + quantifier));
  const pattern = fc
    .array(
      fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('')),
      {
        minLength: 1,
        maxLength: 3,
      },
    )
    .map((choices) => choices.join('|'));
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' ', '\n'), maxLength: 30 });

  test('matches the same', () => {
    fc.assert(
      fc.property(pattern, text, (source, input) => {
        // Empty matches hide nothing; the other engine is asked for the next one that is not empty at each place.
        const expected: string[] = [];
        const native = new RegExp(source, 'y');
        for (let at = 0; at < input.length; ) {
          native.lastIndex = at;
          const match = native.exec(input)?.[0] ?? '';
          if (match !== '') expected.push(match);
          at += match.length || 1;
        }
        expect(find(source, input)).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  test('reading any text as a pattern never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab()[]{}|*+?.^$\\-,1:<>=!piPLx') }), (source) => {
        const result = compileLinearPattern(source);
        if (result.ok) result.pattern.findAll('abba 1', { steps: STEPS });
        else expect(result.problem.position).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 3_000 },
    );
  });
});
