import { expect, test } from 'vitest';
import { normalizedDescription } from './normalized-description.ts';

test.each([
  [
    'db',
    "SELECT * FROM users WHERE id = 5 AND name = 'bob'",
    'SELECT * FROM users WHERE id = %s AND name = %s',
  ],
  ['db.sql.query', 'SELECT * FROM t WHERE id IN ($1, $2,  $3)', 'SELECT * FROM t WHERE id IN (%s)'],
  ['db', 'SELECT 1 FROM orders_12', 'SELECT %s FROM orders_12'],
  ['http.client', 'GET https://api.example.com/users/12?page=2', 'GET https://api.example.com/users/*'],
  ['http.client', 'POST /carts/1d0f2a4c-9a53-4a1e-8f4e-1f0a6d2c3b4a/items', 'POST /carts/*/items'],
])('%s: %s', (op, description, normalized) => {
  expect(normalizedDescription(op, description)).toBe(normalized);
});

test.each([
  ['db', 'SELECT %s FROM users'],
  ['http.client', 'GET https://api.example.com/users'],
  ['http.client', 'users 12'],
  ['cache.get', 'user:12'],
  ['function', 'retry 12'],
])('nothing to leave out: %s: %s', (op, description) => {
  expect(normalizedDescription(op, description)).toBeNull();
});
