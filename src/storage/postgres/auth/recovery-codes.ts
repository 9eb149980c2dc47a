import { randomInt } from 'node:crypto';

export const RECOVERY_CODES = 10;
/** Without what is easily taken for something else: 30 characters, so ten are 49 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz2345678';
const HALF_CHARS = 5;

/** `k7m2q-x4hbd`, ten of them. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => `${randomHalf()}-${randomHalf()}`);
}

/** As it was shown, however it was typed: case, spaces and the dash do not count. */
export function normalizeRecoveryCode(typed: string): string {
  const chars = typed.toLowerCase().replace(/[^a-z0-9]/g, '');
  return `${chars.slice(0, HALF_CHARS)}-${chars.slice(HALF_CHARS)}`;
}

const randomHalf = (): string =>
  Array.from({ length: HALF_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
