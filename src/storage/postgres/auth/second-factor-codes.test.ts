import { expect, test } from 'vitest';
import { createRecoveryCodes, normalizeRecoveryCode, RECOVERY_CODES } from './recovery-codes.ts';
import { createUsedCodes } from './second-factor-codes.ts';

test('codes are many, different, and hold nothing that is taken for something else', () => {
  const codes = createRecoveryCodes();
  expect(new Set(codes).size).toBe(RECOVERY_CODES);
  for (const code of codes) expect(code).toMatch(/^[a-hj-km-np-z2-8]{5}-[a-hj-km-np-z2-8]{5}$/);
});

test.each(['k7m2q-x4hbd', 'K7M2Q-X4HBD', ' k7m2q x4hbd ', 'k7m2qx4hbd', 'k7m2q – x4hbd'])(
  '%j is the code that was shown',
  (typed) => {
    expect(normalizeRecoveryCode(typed)).toBe('k7m2q-x4hbd');
  },
);

test('a code opens once while it could still be right, for each user by itself', () => {
  let now = 1_000_000;
  const codes = createUsedCodes(() => now);
  expect([codes.take('ana', '123456'), codes.take('ana', '123456')]).toEqual([true, false]);
  expect(codes.take('bo', '123456')).toBe(true);
  now += 89_999;
  expect(codes.take('ana', '123456')).toBe(false);
  now += 1;
  expect(codes.take('ana', '123456')).toBe(true);
});

test('the number of remembered codes is bounded, oldest first', () => {
  const codes = createUsedCodes(() => 0);
  for (let index = 0; index < 10_000; index++) expect(codes.take(`user ${index}`, '123456')).toBe(true);
  expect(codes.take('one too many', '123456')).toBe(true);
  expect(codes.take('user 9999', '123456')).toBe(false);
  expect(codes.take('user 0', '123456')).toBe(true);
});
