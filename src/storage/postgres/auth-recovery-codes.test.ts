import { expect, test } from 'vitest';
import { createRecoveryCodes, normalizeRecoveryCode, RECOVERY_CODES } from './auth-recovery-codes.ts';

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
