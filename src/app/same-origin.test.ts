import { expect, test } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const PUBLIC = 'https://errata.example.com';
const asks = (headers: Record<string, string>) => isSameOrigin({ headers: new Headers(headers) }, PUBLIC);

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'same-origin' },
  { origin: 'https://errata.example.com', host: 'errata.example.com' },
  { origin: 'https://errata.example.com', host: 'web:3000', 'x-forwarded-host': 'errata.example.com' },
  // By another name than the public one.
  { origin: 'http://192.168.1.7:9000', host: '192.168.1.7:9000', 'x-forwarded-proto': 'http' },
  { origin: 'http://localhost:9000', host: 'localhost:9000' },
  { origin: 'https://errata.lan', host: 'errata.lan', 'x-forwarded-proto': 'https' },
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
  { origin: 'https://errata.example.com:9001', host: 'errata.example.com' },
  { origin: 'http://errata.lan:9001', host: 'errata.lan:9000' },
  // The same host over plain http, which anybody on the way can answer for.
  { origin: 'http://errata.example.com', host: 'errata.example.com' },
  { origin: 'http://errata.example.com', host: 'errata.example.com', 'x-forwarded-proto': 'http' },
  { origin: 'http://errata.lan', host: 'errata.lan', 'x-forwarded-proto': 'https' },
  { origin: 'https://errata.lan', host: 'errata.lan', 'x-forwarded-proto': 'http' },
])('%j may not', (headers) => {
  expect(asks(headers)).toBe(false);
});
