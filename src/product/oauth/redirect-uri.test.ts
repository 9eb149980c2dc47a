import { expect, test } from 'vitest';
import { checkRedirectUri, describeRedirect, isRegisteredRedirect } from './redirect-uri.ts';

test.each([
  'https://claude.ai/api/mcp/auth_callback',
  'http://localhost:33418/callback',
  'http://127.0.0.1/callback?a=b',
  'http://[::1]:9/',
  'cursor://anysphere.cursor-retrieval/oauth/user-errata/callback',
  'vscode://vscode.github-authentication/did-authenticate',
  'com.example.app://callback',
])('%s can be returned to', (text) => {
  expect(checkRedirectUri(text)).toBe(text);
});

test.each([
  'http://example.com/callback',
  'http://127.0.0.1.evil.example/',
  'https://user:password@example.com/',
  'https://example.com/#fragment',
  'javascript:alert(1)',
  'JAVASCRIPT://alert(1)',
  'data:text/html,hi',
  'file:///etc/passwd',
  'ws://example.com/',
  'urn:ietf:wg:oauth:2.0:oob',
  'callback',
  '',
  `https://example.com/${'x'.repeat(500)}`,
  'https://a.example/\u0000',
  '\u0000https://a.example/',
  'https://a.example/ b',
  'app://call\nback',
])('%j cannot', (text) => {
  expect(() => checkRedirectUri(text)).toThrow(/is not a valid redirect URI/);
});

test.each([
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb', true],
  ['http://localhost/cb', 'http://localhost:2/cb', true],
  ['http://localhost/cb', 'http://127.0.0.1/cb', false],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/cb?x', false],
  ['https://a.example/cb', 'https://a.example:444/cb', false],
  ['https://a.example/cb', 'https://a.example/cb/', false],
  ['app://cb', 'app://cb', true],
  ['http://127.0.0.1:1/cb', '\u0000http://127.0.0.1:2/cb', false],
  ['http://127.0.0.1:1/cb', 'http://127.0.0.1:2/c\nb', false],
])('%j covers %j: %s', (registered, asked, isCovered) => {
  expect(isRegisteredRedirect(asked, [registered])).toBe(isCovered);
});

test('people are told where they are sent', () => {
  expect(describeRedirect('https://claude.ai/x')).toBe('claude.ai');
  expect(describeRedirect('http://localhost:1/x')).toBe('an application on this computer');
  expect(describeRedirect('cursor://x/y')).toBe('the application that opens cursor://');
});
