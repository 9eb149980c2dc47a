import { expect, test } from 'vitest';
import { checkPassword } from './check-password.ts';
import { COMMON_PASSWORDS, COMMON_STEMS } from './common-passwords.ts';

test.each([
  'correct horse battery staple',
  'tr0ub4dor and three',
  'Zebra-lamp-orbit',
  'пароль на двенадцать',
  '7Gk!m2#qP9$x',
])('%s is a password', (password) => {
  expect(() => checkPassword(password)).not.toThrow();
});

test.each([
  ['', /use 12 or more/],
  ['elevenchars', /has 11 characters/],
  ['🦓🦓🦓🦓🦓🦓', /has 6 characters/],
  ['aaaaaaaaaaaaaaaa', /easy to guess/],
  ['abcabcabcabcab', /easy to guess/],
  ['234567890123', /easy to guess/],
  ['987654321098', /easy to guess/],
  ['abcdefghijklmnop', /easy to guess/],
  ['PasswordPassword', /easy to guess/],
  ['Password!2024', /easy to guess/],
  ['P@ssw0rd123456', /easy to guess/],
  ['123admin123456', /easy to guess/],
  ['Welcome12345!', /easy to guess/],
  ['x'.repeat(10) + 'yz'.repeat(130), /longer than 256/],
])('%j is refused with the reason', (password, reason) => {
  expect(() => checkPassword(password)).toThrow(reason);
  expect(() => checkPassword(password)).toThrow(
    expect.objectContaining({ code: 'invalid', field: 'password' }),
  );
});

test('every entry of the lists is long enough to matter and in lower case', () => {
  for (const password of COMMON_PASSWORDS) {
    expect(password.length).toBeGreaterThanOrEqual(12);
    expect(password).toBe(password.toLowerCase());
  }
  for (const stem of COMMON_STEMS) expect(stem).toBe(stem.toLowerCase());
});
