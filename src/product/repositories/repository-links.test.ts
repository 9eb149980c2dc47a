import { expect, test } from 'vitest';
import type { RepositoryProvider } from './repository.ts';
import { commitUrl, fileUrl } from './repository-links.ts';

const of = (provider: RepositoryProvider, url: string | null = null, linkTemplate: string | null = null) => ({
  name: 'acme/web',
  provider,
  url,
  linkTemplate,
});
const COMMIT = { kind: 'commit', name: 'abc123' } as const;
const BRANCH = { kind: 'branch', name: 'feature/cart' } as const;

test.each([
  [of('github'), COMMIT, 'https://github.com/acme/web/blob/abc123/src/a%20b.ts#L7'],
  [
    of('github', 'https://git.acme.com/web'),
    BRANCH,
    'https://git.acme.com/web/blob/feature/cart/src/a%20b.ts#L7',
  ],
  [of('gitlab'), COMMIT, 'https://gitlab.com/acme/web/-/blob/abc123/src/a%20b.ts#L7'],
  [of('bitbucket'), COMMIT, 'https://bitbucket.org/acme/web/src/abc123/src/a%20b.ts#lines-7'],
  [
    of('gitea', 'https://git.acme.com/acme/web'),
    COMMIT,
    'https://git.acme.com/acme/web/src/commit/abc123/src/a%20b.ts#L7',
  ],
  [
    of('gitea', 'https://git.acme.com/acme/web'),
    BRANCH,
    'https://git.acme.com/acme/web/src/branch/feature/cart/src/a%20b.ts#L7',
  ],
  [of('gitea'), COMMIT, null],
  [of('unknown'), COMMIT, null],
  [of('unknown', 'https://git.acme.com/web'), COMMIT, null],
  [
    of('other', null, 'https://code.acme.com/web/{path}?at={commit}&line={line}'),
    COMMIT,
    'https://code.acme.com/web/src/a%20b.ts?at=abc123&line=7',
  ],
  [of('other'), COMMIT, null],
])('%j', (repository, ref, expected) => {
  expect(fileUrl(repository, ref, 'src/a b.ts', 7)).toBe(expected);
});

test('a whole file has no line', () => {
  expect(fileUrl(of('github'), COMMIT, 'a.ts', null)).toBe('https://github.com/acme/web/blob/abc123/a.ts');
});

test.each([
  'javascript:alert({line})',
  'https://{commit}.example.com/{path}',
  'https://user:secret@example.com/{path}',
  'data:text/html,{path}',
  '{path}',
])('%s links nothing', (template) => {
  expect(fileUrl(of('other', null, template), COMMIT, 'a.ts', 1)).toBeNull();
});

test('what a path or a commit holds leads nowhere else', () => {
  const template = 'https://code.acme.com/{path}/{commit}';
  for (const hostile of ['//evil.example.com/', '@evil.example.com', '?x', '#x', '\\\\evil', '$&']) {
    const url = fileUrl(of('other', null, template), { kind: 'branch', name: hostile }, hostile, 1);
    expect(url === null || new URL(url).origin === 'https://code.acme.com').toBe(true);
  }
  expect(fileUrl(of('github'), { kind: 'branch', name: 'a?b#c' }, 'x?y#z', 1)).toBe(
    'https://github.com/acme/web/blob/a%3Fb%23c/x%3Fy%23z#L1',
  );
});

test.each([
  of('github'),
  of('gitea', 'https://git.acme.com/acme/web'),
  of('other', null, 'https://code.acme.com/web/{path}?at={commit}'),
  of('other', null, 'https://code.acme.com/web/{commit}/{path}'),
])('no path and no commit leaves the repository: %j', (repository) => {
  expect(fileUrl(repository, { kind: 'commit', name: '../../../evil' }, 'a.ts', 1)).toBeNull();
  expect(fileUrl(repository, COMMIT, 'src/../../../../evil/a.ts', 1)).toBeNull();
  expect(fileUrl(repository, COMMIT, 'src/a..b.ts', 1)).not.toBeNull();
});

test('commits have pages of their own', () => {
  expect(commitUrl(of('github'), 'abc')).toBe('https://github.com/acme/web/commit/abc');
  expect(commitUrl(of('gitlab'), 'abc')).toBe('https://gitlab.com/acme/web/-/commit/abc');
  expect(commitUrl(of('bitbucket'), 'abc')).toBe('https://bitbucket.org/acme/web/commits/abc');
  expect(commitUrl(of('gitea', 'https://git.acme.com/a/b'), 'abc')).toBe(
    'https://git.acme.com/a/b/commit/abc',
  );
  expect(commitUrl(of('other'), 'abc')).toBeNull();
});
