import { expect, test } from 'vitest';
import { queryKey } from './query-key.ts';
import { assetKey, extensionOf, urlKey } from './url-key.ts';

test.each([
  ["SELECT * FROM a WHERE b = 'it''s' AND c = 1.5", 'SELECT * FROM a WHERE b = %s AND c = %s', false],
  ['SELECT \'a\\\'b\', "t1"."id 2", `x3` FROM t4', 'SELECT %s, "t1"."id 2", `x3` FROM t4', false],
  ['SELECT a FROM b WHERE c IN (1, 2,3)', 'SELECT a FROM b WHERE c IN (%s)', false],
  ['SELECT a FROM b WHERE c IN ($1, $2, $3)', 'SELECT a FROM b WHERE c IN (%s)', true],
  ['INSERT INTO a VALUES (?, ?), (?, ?)', 'INSERT INTO a VALUES (%s)', true],
  [
    'SELECT a::text, b FROM c WHERE d = :id AND e = @p0',
    'SELECT a::text, b FROM c WHERE d = %s AND e = %s',
    true,
  ],
  ['SELECT a WHERE b = %s AND c = %(name)s', 'SELECT a WHERE b = %s AND c = %s', true],
  ["/* traceparent='00-1' */ SELECT\n  a -- why\n FROM b ", 'SELECT a FROM b', false],
  ['SELECT 100 % 7', 'SELECT %s % %s', false],
])('the key of %s', (query, key, hasParameters) => {
  expect(queryKey(query)).toEqual({ key, hasParameters });
});

test('a query that never ends its text, and one that is far too long', () => {
  expect(queryKey("SELECT 'abc")).toEqual({ key: 'SELECT %s', hasParameters: false });
  expect(queryKey('/* open').key).toBe('');
  expect(queryKey(`SELECT ${"''''".repeat(100_000)}`).key).toBe('SELECT %s');
  expect(queryKey('SELECT "open').key).toBe('SELECT "open');
});

test.each([
  ['https://api.example.com/users/17/orders?page=2#top', 'https://api.example.com/users/*/orders'],
  ['/files/0b0ad0c5-9be0-4d1c-8b0a-4f1f3f4a5b6c/raw', '/files/*/raw'],
  ['//cdn.example.com/a/b', '//cdn.example.com/a/b'],
  ['data', 'data'],
])('the key of the address %s', (url, key) => {
  expect(urlKey(url)).toBe(key);
});

test.each([
  ['https://shop/assets/index-BxY3kQ2a.js', 'https://shop/assets/index-*.js'],
  ['https://shop/main.3f9a2b.chunk.css', 'https://shop/main.*.chunk.css'],
  ['https://shop/jquery.min.js', 'https://shop/jquery.min.js'],
  ['https://shop/bootstrap5.bundle.js', 'https://shop/*.bundle.js'],
])('the key of the file %s', (url, key) => {
  expect(assetKey(url)).toBe(key);
});

test('what a file is', () => {
  expect(['/a.PNG?x=1.js', '/a.b/c', 'https://example.com', '/v1.5', '/x.json'].map(extensionOf)).toEqual([
    'png',
    '',
    '',
    '',
    'json',
  ]);
});
