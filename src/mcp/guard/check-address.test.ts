import { expect, test } from 'vitest';
import { findForeignAddress } from './check-address.ts';

const PUBLIC_URL = 'https://errors.example.com:8443';

test.each([
  ['errors.example.com:8443', undefined, true],
  ['errors.example.com:8443', 'https://errors.example.com:8443', true],
  ['errors.example.com:8443', 'https://errors.example.com', false],
  ['errors.example.com:8443', 'null', false],
  ['errors.example.com', undefined, false],
  ['evil.example:8443', undefined, false],
  ['evil.example', 'https://evil.example', false],
  // A name that whoever runs the network gave, and addresses: no page of the internet has one.
  ['errata:9000', undefined, true],
  ['localhost:9000', undefined, true],
  ['app.localhost', undefined, true],
  ['127.0.0.1:9000', undefined, true],
  ['[::1]:9000', undefined, true],
  ['10.0.0.7', undefined, true],
  ['10.0.0.7.evil.example', undefined, false],
  ['localhost.evil.example', undefined, false],
  ['', undefined, false],
])('host %s, origin %s', (host, origin, isAllowed) => {
  const headers = new Headers({ host, ...(origin && { origin }) });
  expect(findForeignAddress(headers, PUBLIC_URL) === null).toBe(isAllowed);
});
