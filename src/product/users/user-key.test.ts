import { expect, test } from 'vitest';
import { formatUserKey, keyOfUser, parseUserKey } from './user-key.ts';

test('a key says what somebody is called by, and how', () => {
  expect(parseUserKey('id:a:b/c')).toEqual({ kind: 'id', value: 'a:b/c' });
  expect(parseUserKey('email:ann@example.com')).toEqual({ kind: 'email', value: 'ann@example.com' });
  expect(formatUserKey({ kind: 'ip', value: '::1' })).toBe('ip:::1');
  for (const text of ['', 'id:', 'ann@example.com', 'name:ann', ':x', `id:${'x'.repeat(2_001)}`]) {
    expect(parseUserKey(text), text).toBeNull();
  }
});

test('the first thing that is known names a user', () => {
  const none = { id: null, email: null, username: null, ip: null };
  expect(keyOfUser({ ...none, ip: '::1', email: 'a@b.c' })).toEqual({ kind: 'email', value: 'a@b.c' });
  expect(keyOfUser({ ...none, id: '' })).toBeNull();
});
