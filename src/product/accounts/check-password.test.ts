import { describe, expect, test } from 'vitest';
import { IS_FULL } from '../../../test/harness/is-full.ts';
import { checkPassword } from './check-password.ts';
import { estimatePassword } from './password-strength.ts';

const ANA = ['ana.lopez@shop.example', 'Ana López', 'Web Shop', 'web-shop'];

test.each([
  'correct horse battery staple',
  'tr0ub4dor and three',
  'Zebra-lamp-orbit',
  'three birds on a wire',
  'пароль на двенадцать',
  '7Gk!m2#qP9$x',
  'k3v9-xw2m-8rtq',
])('%s is accepted', async (password) => {
  await expect(checkPassword(password, ANA)).resolves.toBeUndefined();
});

test.each([
  ['', /use 12 or more/],
  ['elevenchars', /has 11 characters/],
  ['🦓🦓🦓🦓🦓🦓', /has 6 characters/],
  ['aaaaaaaaaaaaaaaa', /repeats itself/],
  ['abcabcabcabcab', /repeats itself/],
  ['passwordpassword1', /repeats itself/],
  ['PasswordPassword', /repeats itself/],
  ['234567890123', /sequence/],
  ['987654321098', /sequence/],
  ['abcdefghijklmnop', /sequence/],
  ['123qweasdzxc', /common/],
  ['qazwsxedcrfv', /common/],
  ['1q2w3e4r5t6y', /common/],
  ['qwertyuiop123456', /common/],
  ['Password!2024', /common/],
  ['P@ssw0rd123456', /common/],
  ['iloveyou1234567', /common/],
  ['123admin123456', /easy to guess/],
  ['Welcome12345!', /common/],
  ['Summer2024!Summer', /common/],
  ['ErrataErrata2026', /your email address, your name/],
  ['ana.lopez@shop.example', /your email address, your name/],
  ['Ana.Lopez@shop.example1', /your email address, your name/],
  ['analopez2026!', /your email address, your name/],
  ['WebShop2026!!', /your email address, your name/],
  [`${'x'.repeat(10)}${'yz'.repeat(130)}`, /longer than 256/],
])('%j is refused with the reason', async (password, reason) => {
  await expect(checkPassword(password, ANA)).rejects.toMatchObject({
    code: 'invalid',
    field: 'password',
    message: expect.stringMatching(reason),
  });
});

test('the words of one person mean nothing to another', async () => {
  await expect(checkPassword('correct Zoltan battery', ['zoltan@example.com'])).resolves.toBeUndefined();
  await expect(checkPassword('zoltan@example.com', ['zoltan@example.com'])).rejects.toThrow(/your email/);
});

describe('what the estimate costs is bounded', () => {
  const longest = 256;
  const pieces = [
    ['alphabets', 'abcdefghijklmnopqrstuvwxyz0123456789'],
    ['signs that stand for letters', '4@8({[<369!1|0$5+7%2'],
    ['repetitions of repetitions', 'aB3aB3aB3aB4'],
    ['dates', '01021990'],
    ['keyboard rows', 'qwertyuiopasdfghjklzxcvbnm1234567890'],
  ] as const;
  test.each(IS_FULL ? pieces : pieces.slice(0, 1))('%s', async (_, piece) => {
    const password = piece.repeat(longest).slice(0, longest);
    const words = Array.from({ length: 1_000 }, (_each, index) => `word${index}@${'x'.repeat(300)}.example`);
    // Without the bounds one estimate takes ten seconds and more.
    const bounded = await estimatePassword(password.slice(0, 64), words.slice(0, 40));
    expect(await estimatePassword(password, words)).toEqual(bounded);
  });
});
