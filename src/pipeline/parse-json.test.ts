import { expect, test } from 'vitest';
import { parseJson } from './parse-json.ts';

const parse = (text: string) => parseJson(Buffer.from(text));

test('NaN and Infinity, as Python writes them, become null outside of strings only', () => {
  const parsed = parse('{"a": NaN, "b": [-Infinity, 1], "c": "NaN \\" Infinity"}');
  expect(parsed).toMatchObject({
    kind: 'parsed',
    repaired: true,
    value: { a: null, b: [null, 1], c: 'NaN " Infinity' },
  });
});

test('a byte order mark is skipped', () => {
  expect(parse('\ufeff{"a":1}')).toMatchObject({ kind: 'parsed', value: { a: 1 }, repaired: false });
});

test('escapes that make NUL or lone surrogates are announced, others are not', () => {
  expect(parse('{"a":"\\u0000"}')).toMatchObject({ unsafeText: true });
  expect(parse('{"a":"\\uD83d"}')).toMatchObject({ unsafeText: true });
  expect(parse('{"a":"\\u00e9"}')).toMatchObject({ unsafeText: false });
});

test.each([
  ['{"a": 1', 'JSON'],
  ['', 'JSON'],
  ['{"a": NaN', 'JSON'],
  ['[1]', 'an array'],
  ['null', 'null'],
  ['"text"', 'a string'],
])('%s is unparseable, with the reason', (text, reason) => {
  const parsed = parse(text);
  expect(parsed.kind).toBe('unparseable');
  if (parsed.kind === 'unparseable') expect(parsed.detail).toContain(reason);
});
