import { expect, test } from 'vitest';
import { isNamedLike } from './is-named-like.ts';

const web = { id: 7, slug: 'web', name: 'Web Shop' };

test.each([
  ['', true],
  ['  ', true],
  ['WE', true],
  ['shop', true],
  ['shop we', true],
  ['shop api', false],
  ['slug:web', true],
  ['slug:we', false],
  ['id:7', true],
  ['id:8', false],
  ['name:web', false],
])('%j', (query, isFound) => {
  expect(isNamedLike(query, web)).toBe(isFound);
});
