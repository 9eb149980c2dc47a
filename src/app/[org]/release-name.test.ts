import { expect, test } from 'vitest';
import { releaseHref, versionOfSegments } from '#app/[org]/release-name.tsx';

test.each([
  ['web@2.1.0+7', '/acme/releases/web@2.1.0+7'],
  ['team/web@1', '/acme/releases/team/web@1'],
  ['100% ä?#', '/acme/releases/100%25%20%C3%A4%3F%23'],
  ['a/../b', '/acme/releases/a%2F..%2Fb'],
  ['/a//b/', '/acme/releases/%2Fa%2F%2Fb%2F'],
])('%s survives the way through an address', (version, href) => {
  expect(releaseHref('acme', version)).toBe(href);
  const { pathname } = new URL(href, 'https://errata.example');
  expect(versionOfSegments(pathname.split('/').slice(3))).toBe(version);
});

test('what is decoded already stays', () => {
  expect(versionOfSegments(['team', 'web@2 100%'])).toBe('team/web@2 100%');
});
