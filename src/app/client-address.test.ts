import { expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

const of = (forwarded: string | null) =>
  clientAddress(new Headers(forwarded === null ? {} : { 'x-forwarded-for': forwarded }));

test('the last address counts, which the edge wrote', () => {
  expect(of('203.0.113.7')).toBe('203.0.113.7');
  expect(of('10.0.0.1, 203.0.113.7')).toBe('203.0.113.7');
  expect(of('2001:db8::1')).toBe('2001:db8::1');
});

test('what is no address is none', () => {
  expect(of(null)).toBeNull();
  expect(of('')).toBeNull();
  expect(of('<script>')).toBeNull();
});
