import { expect, test } from 'vitest';
import { DISTINCTIVE, indexedName, indexedValue } from './indexed-fields.ts';

test.each([
  '4c79f60c11214eb38604f4ae0781bfb2',
  'd9428888-122b-11e1-b85c-61cd3cbb3210',
  '/orders/123456',
  'at 1767225600',
  DISTINCTIVE,
])('%s looks as if no two events shared it', (value) => {
  expect(indexedValue('tag:request', value)).toBe(DISTINCTIVE);
  expect(indexedValue('attribute:http.url', value)).toBe(DISTINCTIVE);
  expect(indexedValue('transaction', value)).toBe(DISTINCTIVE);
});

test.each(['Firefox 140.0', 'customer 42', '/checkout/cart', '2026-01-31', 'deadbeef'])(
  '%s does not',
  (value) => {
    expect(indexedValue('tag:request', value)).toBe(value);
  },
);

test('releases and stacks repeat whatever they look like', () => {
  expect(indexedValue('release', '4c79f60c11214eb38604f4ae0781bfb2')).toBe(
    '4c79f60c11214eb38604f4ae0781bfb2',
  );
  expect(indexedValue('stack.filename', 'chunk-1234567.js')).toBe('chunk-1234567.js');
});

test('users, ids and texts that differ in every event are no fields of the index', () => {
  for (const name of ['id', 'trace', 'user.id', 'user.email', 'user.ip', 'message'] as const) {
    expect(indexedName({ kind: 'column', name })).toBeNull();
  }
  expect(indexedName({ kind: 'numbers', name: 'stack.lineno' })).toBeNull();
  expect(indexedName({ kind: 'tag', key: 'release' })).toBe('tag:release');
  expect(indexedName({ kind: 'column', name: 'release' })).toBe('release');
});
