import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileRuleGlob } from './rule-glob.ts';

function matches(pattern: string, text: string, isPath = false): boolean {
  const { glob, problem } = compileRuleGlob(pattern, { isPath });
  if (glob === null) throw new Error(problem);
  return glob(text, { steps: 1_000_000 });
}

test.each([
  ['main', 'main', true],
  ['main', 'Main', false],
  ['main', 'domain', false],
  ['std::*', 'std::vector', true],
  ['std::*', 'a std::vector', false],
  ['*::run', 'Job::run', true],
  ['*::run', 'Job::runs', false],
  ['a*b*c', 'a1b2c', true],
  ['a*b*c', 'abab', false],
  ['ab*ba', 'aba', false],
  ['*', '', true],
  ['a/*', 'a/b/c', true],
  ['a/**', 'a/b/c', true],
  ['a/**', 'ab/c', false],
  ['f?o', 'foo', true],
  ['f?o', 'fo', false],
  ['v[0-9].[!0-4]', 'v1.5', true],
  ['v[0-9].[!0-4]', 'v1.4', false],
  ['?[[]Acme*', '-[AcmeView draw]', true],
  ['[]a]', ']', true],
  ['{get,set}Item', 'setItem', true],
  ['{get,set}Item', 'delItem', false],
  ['a\\*', 'a*', true],
  ['a\\*', 'ab', false],
  ['~Shop::\\{dtor\\}', '~Shop::{dtor}', true],
  ['line*', 'line\nbreak', true],
])('the name pattern %s and %j: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test.each([
  ['/opt/acme/**', '/opt/acme/lib/a.so', true],
  ['/opt/acme/**', '/opt/acmes/a.so', false],
  ['/opt/acme/**', '/srv/opt/acme/a.so', false],
  ['**/vendor/**', '/app/vendor/a.php', true],
  ['**/vendor/**', 'vendor/a.php', true],
  ['**/vendor/**', '/app/vendors/a.php', false],
  ['**/main.py', 'main.py', true],
  ['**/main.py', '/app/main.py', true],
  ['**/main.py', '/app/domain.py', false],
  ['src/**/a.c', 'src/a.c', true],
  ['src/**/a.c', 'src/x/y/a.c', true],
  ['src/*/a.c', 'src/x/y/a.c', false],
  ['src/*.c', 'src/a.c', true],
  ['src/*.c', 'src/x/a.c', false],
  ['?:/windows/**', 'c:/windows/system32/a.dll', true],
  ['c:\\windows\\**', 'c:/windows/system32/a.dll', true],
  ['**/lib{a,b}.so', '/usr/libb.so', true],
  ['**.app/**', 'shop.app/main', true],
  ['**.app/**', '/x/shop.app/main', false],
])('the path pattern %s and %s: %s', (pattern, text, expected) => {
  expect(matches(pattern, text, true)).toBe(expected);
});

test.each([['a['], ['a{b'], ['a}'], ['a\\'], ['[z-a]'], ['x'.repeat(1_025)], ['{{{{a}']])(
  'the pattern %s has a problem',
  (pattern) => {
    expect(compileRuleGlob(pattern, { isPath: false }).problem).toEqual(expect.any(String));
  },
);

const SIGNS = ['a', 'b', '/', '*', '**', '?', '{a,b}', '[ab]', '\\*'];

test('any pattern made of the syntax compiles, and each text of plain signs matches itself', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...SIGNS), { maxLength: 12 }),
      fc.array(fc.constantFrom('a', 'b', '/', 'c'), { minLength: 1, maxLength: 20 }),
      (pattern, text) => {
        for (const isPath of [false, true]) {
          const { glob } = compileRuleGlob(pattern.join(''), { isPath });
          expect(typeof glob?.(text.join(''), { steps: 1_000_000 })).toBe('boolean');
          expect(compileRuleGlob(text.join(''), { isPath }).glob?.(text.join(''), { steps: 0 })).toBe(true);
        }
      },
    ),
  );
});

test.each([['a*a*a*a*a*a*a*a*b'], ['**/a*a*a*a*a*a*b'], ['**/a/**/a/**/a/**/a/**/b']])(
  'no text makes %s slow',
  (pattern) => {
    const { glob } = compileRuleGlob(pattern, { isPath: true });
    for (const unit of ['a', 'a/']) {
      const text = unit.repeat(4_000);
      const budget = { steps: 40 * text.length };
      glob?.(text, budget);
      expect(budget.steps).toBeGreaterThan(0);
    }
  },
);
