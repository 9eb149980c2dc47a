import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { visibleData, visibleStart, visibleText } from './visible-text.ts';

test.each([
  ['null \0 and escape \x1b[31m', 'null [U+0000] and escape [U+001B][31m'],
  ['delete \x7f, next line \x85', 'delete [U+007F], next line [U+0085]'],
  ['invoice\u202Egpj.exe', 'invoice[U+202E]gpj.exe'],
  ['a\u200Bd\u2060m\uFEFFi\u00ADn', 'a[U+200B]d[U+2060]m[U+FEFF]i[U+00AD]n'],
  ['tags \u{E0041}', 'tags [U+E0041]'],
  ['never \u2067closed', 'never [U+2067]closed'],
  ['never \u2069opened', 'never [U+2069]opened'],
  ['\u2068over\nlines\u2069', '[U+2068]over\nlines[U+2069]'],
  ['\u2067a\u2066b\u2069', '[U+2067]a\u2066b\u2069'],
  [`Z${'\u0334'.repeat(20)}a`, `Z${'\u0334'.repeat(8)}[+12 marks]a`],
])('%j is shown as %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

test.each([
  'plain\ttext\r\nof lines',
  'שלום \u200Fעולם\u200E!',
  'Hello, \u2068Ana \u2067x\u2069\u2069!',
  '👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 நி ผู้ที่ é',
])('%j is shown as it is', (text) => {
  expect(visibleText(text)).toBe(text);
});

test('the beginning of a text ends whole', () => {
  expect(visibleStart('a👍b', 2)).toBe('a\uFFFD');
  expect(visibleStart('a \u2068name\u2069', 4)).toBe('a [U+2068]n');
  expect(visibleStart('a \u2068name\u2069', 40)).toBe('a \u2068name\u2069');
});

test('data keep their shape, and themselves when nothing is unseen', () => {
  const own = JSON.parse('{"__proto__":{"a\\u202e":["\\u0000",1,null]},"b":true}');
  expect(JSON.stringify(visibleData(own))).toBe('{"__proto__":{"a[U+202E]":["[U+0000]",1,null]},"b":true}');
  const seen = { a: ['b', { c: 'd' }], e: 1 };
  expect(visibleData(seen)).toBe(seen);
});

test('whatever the text, nothing in it turns what stands beside it, and showing it again changes nothing', () => {
  const unit = fc.constantFrom('a', 'א', ' ', '\n', '\u202E', '\u2066', '\u2067', '\u2069', '\u0301', '\0');
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const shown = visibleText(text);
      expect(visibleText(shown)).toBe(shown);
      expect(shown).not.toMatch(/[\u202A-\u202E\0]/);
      for (const line of shown.split('\n')) {
        let depth = 0;
        for (const sign of line) {
          if (/[\u2066-\u2068]/.test(sign)) depth += 1;
          if (sign === '\u2069') depth -= 1;
          expect(depth).toBeGreaterThanOrEqual(0);
        }
        expect(depth).toBe(0);
      }
    }),
  );
});

test('a long text takes no long time', () => {
  withinMs(2_000, () => {
    for (const signs of ['\u0301', '\u2066', 'a\u2069']) visibleText(signs.repeat(100_000));
  });
});
