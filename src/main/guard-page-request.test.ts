import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeMalformed, refuseForeignAction, refuseMalformedAddress } from './guard-page-request.ts';

test.each([
  ['/api/0/organizations/%F0%9F/', /^The path .* UTF-8/],
  ['/acme/issues/%zz', /^The path .* UTF-8/],
  ['/acme/issues/100%', /^The path .* UTF-8/],
  ['/api/0/%c0%80/', /^The path .* UTF-8/],
  ['/acme/%ed%a0%80', /^The path .* UTF-8/],
  ['/api/0/organizations/a%00b/', /^The path .* U\+0000/],
  ['/acme/audit-logs/?event=%00', /^The query .* U\+0000/],
  ['/acme/issues?a=1&query=%F0%9F', /^The query .* UTF-8/],
  ['/acme/issues?%00=1', /^The query .* U\+0000/],
  ['/acme/issues?a=b?%00', /^The query .* U\+0000/],
])('%s is refused', (url, detail) => {
  expect(describeMalformed(url)).toMatch(detail);
});

test.each([
  '/',
  '/acme/issues?query=100%',
  '/acme/issues?query=100%25+%zz',
  '/acme/%F0%9F%98%80?name=%C3%A9',
  '/acme/releases/a%2Fb?query=%2500',
])('%s passes', (url) => {
  expect(describeMalformed(url)).toBeNull();
});

describe('over the network', () => {
  const server = createServer((request, response) => {
    if (!refuseMalformedAddress(request, response)) response.end('passed');
  });
  let origin: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('the API answers JSON, pages a page', async () => {
    const html = { headers: { accept: 'text/html,*/*' } };
    const api = await fetch(`${origin}/api/0/%F0%9F/`, html);
    expect([api.status, await api.json()]).toEqual([400, { detail: expect.stringContaining('UTF-8') }]);
    const program = await fetch(`${origin}/acme/%00`);
    expect([program.status, await program.json()]).toEqual([400, { detail: expect.stringContaining('%00') }]);
    const page = await fetch(`${origin}/acme/%00`, html);
    expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    const text = await page.text();
    expect(text).toContain('The link is damaged');
    expect(text).not.toContain('%00');
    expect(await (await fetch(`${origin}/acme`)).text()).toBe('passed');
  });
});

const ask = (method: string, url: string, headers: Record<string, string>) => {
  const statuses: number[] = [];
  const response = { writeHead: (status: number) => statuses.push(status), end: () => {} };
  const isRefused = refuseForeignAction(
    { method, url, headers } as unknown as IncomingMessage,
    response as unknown as ServerResponse,
    'https://errata.example.com',
  );
  return isRefused ? statuses : 'passed on';
};
const HOST = { host: 'errata.example.com', 'x-forwarded-proto': 'http' };

test('a form of another origin is refused, also when only the scheme is another', () => {
  expect(ask('POST', '/login', { ...HOST, origin: 'http://errata.example.com' })).toEqual([403]);
  expect(ask('POST', '/login', { ...HOST, origin: 'https://evil.example' })).toEqual([403]);
  expect(ask('DELETE', '/main/x', { ...HOST, 'sec-fetch-site': 'cross-site' })).toEqual([403]);
  expect(ask('POST', '/unsubscribe/abc/choice', { ...HOST, origin: 'https://evil.example' })).toEqual([403]);
  expect(ask('POST', '/apis', { ...HOST, origin: 'https://evil.example' })).toEqual([403]);
});

test('a form of our own, and whoever is no browser, is let through', () => {
  expect(ask('POST', '/login', { ...HOST, origin: 'https://errata.example.com' })).toBe('passed on');
  expect(ask('POST', '/login', HOST)).toBe('passed on');
});

test('reading, and what has a token or a signature, is let through from anywhere', () => {
  const foreign = { ...HOST, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  for (const url of ['/api/0/organizations/', '/mcp', '/mcp/oauth/token', '/unsubscribe/abc?x=1']) {
    expect(ask('POST', url, foreign)).toBe('passed on');
  }
  expect(ask('GET', '/login', foreign)).toBe('passed on');
});
