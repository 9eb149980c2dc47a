import { expect, test } from 'vitest';
import { createClientAddressResolver } from './auth-client-address.ts';

const resolve = (forwarded: string | null, trusted: string[] = []) =>
  createClientAddressResolver(trusted)(
    new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded }),
  );

test('without trusted proxies only the last hop counts, whatever the client wrote before it', () => {
  expect(resolve('203.0.113.7')).toBe('203.0.113.7');
  expect(resolve('1.1.1.1, 2.2.2.2, 203.0.113.7')).toBe('203.0.113.7');
});

test('trusted proxies are skipped, from the right and only from there', () => {
  const trusted = ['10.0.0.0/8', '192.0.2.1', '2001:db8:1::/48'];
  expect(resolve('203.0.113.7, 10.1.2.3, 192.0.2.1', trusted)).toBe('203.0.113.7');
  expect(resolve('10.9.9.9, 203.0.113.7, 10.1.2.3', trusted)).toBe('203.0.113.7');
  expect(resolve('203.0.113.7, 2001:db8:1:5::9', trusted)).toBe('203.0.113.7');
});

test('an IPv6 client is its /64, and a mapped IPv4 address is the IPv4 one', () => {
  expect(resolve('2001:0DB8:0:1:aaaa::1')).toBe('2001:db8:0:1::/64');
  expect(resolve('2001:db8:0:1:bbbb:1:2:3')).toBe('2001:db8:0:1::/64');
  expect(resolve('::1')).toBe('0:0:0:0::/64');
  expect(resolve('::ffff:203.0.113.7')).toBe('203.0.113.7');
});

test('what is no address is unknown, all of them together', () => {
  expect(resolve(null)).toBe('unknown');
  expect(resolve('')).toBe('unknown');
  expect(resolve('203.0.113.7, evil')).toBe('unknown');
  expect(resolve('10.0.0.1', ['10.0.0.0/8'])).toBe('unknown');
});
