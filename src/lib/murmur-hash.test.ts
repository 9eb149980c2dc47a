import { expect, test } from 'vitest';
import { murmurHash } from './murmur-hash.ts';

/** From the published test vectors. */
test.each([
  ['', 0],
  ['test', 0xba6bd213],
  ['Hello, world!', 0xc0363e43],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723],
])('"%s"', (text, hash) => {
  expect(murmurHash(text)).toBe(hash);
});
