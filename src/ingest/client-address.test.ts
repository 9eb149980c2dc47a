import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { describe, expect, test } from 'vitest';
import { clientAddress } from './client-address.ts';

const proxies = new BlockList();
proxies.addSubnet('10.0.0.0', 8);

const request = (remoteAddress: string, headers: Record<string, string>) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe('the address of a client', () => {
  test('is the socket’s, whatever an untrusted sender claims', () => {
    expect(clientAddress(request('203.0.113.9', { 'x-forwarded-for': '1.1.1.1' }), proxies)).toEqual({
      ip: '203.0.113.9',
      protocol: 'http',
      isProxied: false,
    });
  });

  test('is the last one that no trusted proxy has', () => {
    const headers = { 'x-forwarded-for': '6.6.6.6, 198.51.100.7, 10.2.2.2', 'x-forwarded-proto': 'https' };
    expect(clientAddress(request('10.1.1.1', headers), proxies)).toEqual({
      ip: '198.51.100.7',
      protocol: 'https',
      isProxied: true,
    });
  });

  test('is written as IPv4 on a socket that speaks both', () => {
    expect(clientAddress(request('::ffff:203.0.113.9', {}), proxies).ip).toBe('203.0.113.9');
    expect(clientAddress(request('::ffff:10.1.1.1', { 'x-forwarded-for': '203.0.113.9' }), proxies).ip).toBe(
      '203.0.113.9',
    );
  });
});
