import { expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const asks = (headers: Record<string, string>) => isSameOrigin({ headers: new Headers(headers) });

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'same-origin' },
  { origin: 'http://errata.example.com:9000', host: 'errata.example.com:9000' },
  { origin: 'https://errata.example.com', host: 'web:3000', 'x-forwarded-host': 'errata.example.com' },
  {},
])('%j may change something', (headers) => {
  expect(asks(headers)).toBe(true);
});

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'cross-site' },
  // Another program on the same host, or a neighbour below the same domain.
  { 'sec-fetch-site': 'same-site', origin: 'https://errata.example.com', host: 'errata.example.com' },
  { 'sec-fetch-site': 'none' },
  { origin: 'https://evil.example', host: 'errata.example.com' },
  { origin: 'null', host: 'errata.example.com' },
  { origin: 'http://errata.example.com:9001', host: 'errata.example.com:9000' },
])('%j may not', (headers) => {
  expect(asks(headers)).toBe(false);
});
