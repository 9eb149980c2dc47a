import { expect, test } from 'vitest';
import { isLoopbackHost } from './loopback-host.ts';

test.each(['localhost', 'LOCALHOST', 'errata.localhost', '127.0.0.1', '127.8.0.1', '[::1]'])(
  '%s is reached from its own machine only',
  (hostname) => expect(isLoopbackHost(hostname)).toBe(true),
);

test.each([
  'errata.example.com',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '192.168.1.5',
  '[::2]',
  '',
])('%s may be another machine', (hostname) => expect(isLoopbackHost(hostname)).toBe(false));
