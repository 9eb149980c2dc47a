import { expect, test } from 'vitest';
import { keyOf } from './issue-address.ts';
import type { TrackerKind } from './tracker-kinds.ts';

const URLS: Readonly<Record<TrackerKind, string>> = {
  github: 'https://github.com',
  gitlab: 'https://git.example.com/gitlab',
  jira: 'https://acme.atlassian.net',
  linear: 'https://linear.app',
};

test.each<[TrackerKind, string, string | null]>([
  ['github', 'https://github.com/acme/web/issues/12', 'acme/web#12'],
  ['github', ' https://github.com/acme/web/issues/12#issuecomment-1 ', 'acme/web#12'],
  ['github', 'acme/web#12', 'acme/web#12'],
  ['github', 'https://github.com/acme/web/pull/12', null],
  ['github', 'https://github.com.evil.example/acme/web/issues/12', null],
  ['github', 'https://github.com/acme/web/issues/new', null],
  ['gitlab', 'https://git.example.com/gitlab/acme/shop/web/-/issues/7', 'acme/shop/web#7'],
  ['gitlab', 'https://git.example.com/gitlab/acme/web/-/work_items/7', 'acme/web#7'],
  ['gitlab', 'https://git.example.com/other/acme/web/-/issues/7', null],
  ['gitlab', 'acme/shop/web#7', 'acme/shop/web#7'],
  ['gitlab', 'web#7', null],
  ['jira', 'https://acme.atlassian.net/browse/WEB-7', 'WEB-7'],
  ['jira', 'https://acme.atlassian.net/jira/software/projects/WEB/boards/1?selectedIssue=WEB-7', 'WEB-7'],
  ['jira', 'web-7', 'WEB-7'],
  ['jira', 'https://acme.atlassian.net/browse/WEB', null],
  ['linear', 'https://linear.app/acme/issue/ENG-12/fix-the-cart', 'ENG-12'],
  ['linear', 'https://linear.app/acme/project/ENG-12', null],
  ['linear', 'ENG-12', 'ENG-12'],
  ['linear', '', null],
  ['jira', 'x'.repeat(5_000), null],
])('%s: %s is %s', (kind, reference, key) => {
  expect(keyOf({ kind, url: URLS[kind] }, reference)).toBe(key);
});
