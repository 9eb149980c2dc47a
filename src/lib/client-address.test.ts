import { expect, test } from 'vitest';
import { addressGroup, clientAddress } from './client-address.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::FFFF:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  [null, 'unknown'],
])('limits count %s as %s', (ip, group) => {
  expect(addressGroup(ip)).toBe(group);
});

const named = (forwarded: string | null) =>
  clientAddress(new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded }));

test('the client is the last address, which the edge wrote', () => {
  expect(named('203.0.113.7')).toBe('203.0.113.7');
  expect(named('10.0.0.1, 203.0.113.7')).toBe('203.0.113.7');
  expect(named('2001:db8::1')).toBe('2001:db8::1');
});

test('what is no address is no client', () => {
  expect(named(null)).toBeNull();
  expect(named('')).toBeNull();
  expect(named('<script>')).toBeNull();
});
