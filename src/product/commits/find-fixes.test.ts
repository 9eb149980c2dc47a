import { expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { findFixes, findMentionedIds } from './find-fixes.ts';

const HERE = 'https://errors.example.com';
const find = (message: string) => findFixes(message, { publicUrl: HERE, organizationSlug: 'acme' });
const ids = (message: string) => find(message).shortIds;

test.each([
  ['fixes WEB-3F', ['WEB-3F']],
  ['Fixed: web-3f', ['WEB-3F']],
  ['Closes WEB-3F, API-12 and WEB-4G.', ['WEB-3F', 'API-12', 'WEB-4G']],
  ['RESOLVE my-app-7 (at last)', ['MY-APP-7']],
  ['Cart: empty it\n\nresolves WEB-3F\ncloses WEB-4G', ['WEB-3F', 'WEB-4G']],
  ['Fixes [WEB-3F](https://elsewhere.example.com/issues/9)', ['WEB-3F']],
  ['fix the sum of WEB-3F', ['WEB-3F']],
  ['fixes WEB-3F fixes WEB-3F', ['WEB-3F']],
])('%j', (message, expected) => {
  expect(ids(message)).toEqual(expected);
});

test.each([
  'WEB-3F',
  'see WEB-3F',
  'prefixes WEB-3F',
  'fixture WEB-3F',
  'fixes\nWEB-3F',
  'fix typo\n\nrefs WEB-3F',
  'fixes #12',
  'fixes: https://elsewhere.example.com/acme/issues/WEB-3F',
  `fixes ${HERE}/other/issues/WEB-3F`,
  `fixes ${HERE}/organizations/other/issues/42/`,
  `fixes ${HERE}/issues/42/`,
  `fixes ${HERE}/acme/settings/issues/42`,
  '',
])('%j names nothing', (message) => {
  expect(find(message)).toEqual({ shortIds: [], issueIds: [] });
});

test('addresses of the organization on this instance name an issue by short id or number', () => {
  expect(find(`Closes ${HERE}/acme/issues/web-3f?x=1`)).toEqual({ shortIds: ['WEB-3F'], issueIds: [] });
  expect(find(`fixes (${HERE}/acme/issues/42)`)).toEqual({ shortIds: [], issueIds: [] });
  expect(find(`fixes ${HERE}/acme/issues/42`)).toEqual({ shortIds: [], issueIds: [42] });
  expect(find(`fixes ${HERE}/organizations/acme/issues/42/`)).toEqual({ shortIds: [], issueIds: [42] });
});

test('whatever could be a short id in capitals is a mention', () => {
  const message = 'Cart: see WEB-3F (and WEB-3F, MY-APP-7) but not web-4g, 2026-11, UTF-8 or pre-commit';
  expect(findMentionedIds(message)).toEqual(['WEB-3F', 'MY-APP-7', 'UTF-8']);
});

test('a hostile message costs no more than a long one', () => {
  withinMs(1_000, () => {
    for (const word of ['A_', 'A-', '-', 'A']) expect(findMentionedIds(word.repeat(500_000))).toEqual([]);
    expect(ids(`fix ${'fix '.repeat(200_000)}`)).toEqual([]);
    expect(ids(`fix${' \t'.repeat(500_000)}`)).toEqual([]);
    expect(ids(`fixes ${Array.from({ length: 5_000 }, (_, i) => `W-${i}`).join(' ')}`)).toHaveLength(50);
  });
});
