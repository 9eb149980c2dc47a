import { expect, test } from 'vitest';
import { checkLink } from './issue-links.ts';

test.each([
  ['https://github.com/acme/web/issues/12', undefined, '12 · github.com'],
  ['https://acme.atlassian.net/browse/WEB-7?x=1', '', 'WEB-7 · acme.atlassian.net'],
  [' http://tracker.local ', '  The   ticket ', 'The ticket'],
  ['https://example.com/', undefined, 'example.com'],
  ['https://example.com/%E0%A4', undefined, '%E0%A4 · example.com'],
])('%s', (url, title, expected) => {
  expect(checkLink({ url, title })).toEqual({ url: new URL(url.trim()).href, title: expected });
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'github.com/acme',
  '',
  'https://user:secret@example.com/',
  `https://example.com/${'a'.repeat(2_000)}`,
])('%s is refused', (url) => {
  expect(() => checkLink({ url })).toThrow();
});
