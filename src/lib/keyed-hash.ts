import { createHmac, hkdfSync } from 'node:crypto';

/** Hashes that only who has the secret can make: an address is too easily guessed from a plain one. */
export type KeyedHash = (text: string) => string;

const KEY_BYTES = 32;

/** HMAC-SHA-256 in hexadecimal, with a key of its own, derived from the secret of the instance for this purpose. */
export function createKeyedHash(secret: string, purpose: string): KeyedHash {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `errata keyed hash v1 ${purpose}`, KEY_BYTES));
  return (text) => createHmac('sha256', key).update(text).digest('hex');
}
