import { expect, test } from 'vitest';
import { parseSetCookie } from './apply-set-cookies.ts';

test('a session cookie keeps its value and every restriction', () => {
  expect(
    parseSetCookie(
      '__Secure-errata.session_token=ab%2Fc.d%3D; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Lax',
    ),
  ).toEqual({
    name: '__Secure-errata.session_token',
    value: 'ab/c.d=',
    path: '/',
    maxAge: 2_592_000,
    httpOnly: true,
    secure: true,
    sameSite: 'lax',
  });
});

test('a cookie that ends a session has an age of zero', () => {
  expect(parseSetCookie('errata.session_token=; Max-Age=0; Path=/; HttpOnly')).toMatchObject({
    value: '',
    maxAge: 0,
    secure: false,
  });
});
