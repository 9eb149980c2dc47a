import { expect, test } from 'vitest';
import { readCount } from './read-count.ts';

test.each([
  ['', null],
  ['  ', null],
  ['0', 0],
  ['1,000', 1_000],
  ["1'000 000", 1_000_000],
  ['1.5', Number.NaN],
  ['-1', Number.NaN],
  ['1e3', Number.NaN],
  ['1'.repeat(16), Number.NaN],
])('%j is %s', (text, count) => {
  const form = new FormData();
  form.set('limit', text);
  expect(readCount(form, 'limit')).toEqual(count);
});

test('a field that is not there is empty', () => {
  expect(readCount(new FormData(), 'limit')).toBeNull();
});
