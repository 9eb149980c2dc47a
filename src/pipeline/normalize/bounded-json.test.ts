import { expect, test } from 'vitest';
import { boundedJson } from './bounded-json.ts';

const LIMITS = { depthMax: 2, charsMax: 100, stringCharsMax: 10, itemsMax: 3 };

test('what fits is copied whole', () => {
  const value = { a: [1, true, null], b: { c: 'x' }, d: {} };
  expect(boundedJson(value, LIMITS, false)).toEqual({ value, cut: false });
});

test.each([
  ['depth', { a: { b: { c: 1 }, d: [1] } }, { a: { b: '[Object]', d: '[Array]' } }],
  ['strings', 'x'.repeat(11), `${'x'.repeat(10)}…`],
  ['items', [1, 2, 3, 4], [1, 2, 3]],
  ['entries', { a: 1, b: 2, c: 3, d: 4 }, { a: 1, b: 2, c: 3 }],
  ['prototype keys', JSON.parse('{"__proto__":{"x":1},"a":1}'), { a: 1 }],
])('%s beyond the limit are left out, which is said', (_, value, expected) => {
  expect(boundedJson(value, LIMITS, false)).toEqual({ value: expected, cut: true });
});

test('the whole stays within its budget', () => {
  const value = Array.from({ length: 3 }, () => Array.from({ length: 3 }, () => 'x'.repeat(10)));
  const { value: copy, cut } = boundedJson(value, { ...LIMITS, charsMax: 40 }, false);
  expect(cut).toBe(true);
  expect(JSON.stringify(copy).length).toBeLessThan(80);
});

test('numbers that JSON cannot write become null', () => {
  expect(boundedJson(JSON.parse('[1e999, 1]'), LIMITS, false).value).toEqual([null, 1]);
});
