import { expect, test } from 'vitest';
import { shortenHashes } from './shorten-hashes.ts';

test.each([
  ['9f2c1ab77d00ee0c9f2c1ab77d00ee0c9f2c1ab7', '9f2c1ab'],
  ['web@1.2.0+ABCDEF1234567890', 'web@1.2.0+ABCDEF1'],
  ['web@9f2c1ab77d00', 'web@9f2c1ab'],
  ['Resolved in commit 9f2c1ab77d00 of acme/web', 'Resolved in commit 9f2c1ab of acme/web'],
  ['web@1.2.0-rc.1.9f2c1ab77d00ee0c', 'web@1.2.0-rc.1.9f2c1ab'],
])('%s is shown as %s', (name, short) => {
  expect(shortenHashes(name)).toBe(short);
});

test.each([
  'web@2.1.0+20261124101500',
  '9f2c1ab77d0',
  'build-3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  'facade-decade@1.0',
])('%s has no hash to shorten', (name) => {
  expect(shortenHashes(name)).toBe(name);
});
