import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { refuseForeignAction } from './refuse-foreign-action.ts';

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
