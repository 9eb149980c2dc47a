import { expect, test } from 'vitest';
import type { TouchingCommit } from '#product/commits/commit.ts';
import { rankCommits, type SuspectFile } from './rank-commits.ts';

const touch = (id: number, path: string, committedAt = id, repositoryId = 1): TouchingCommit => ({
  releaseId: 9,
  path,
  commit: { id, repositoryId, key: `k${id}`, message: '', author: { name: null, email: null }, committedAt },
});
const file = (path: string, mapped: SuspectFile['mapped'] = null): SuspectFile => ({ paths: [path], mapped });
const ids = (files: readonly SuspectFile[], touching: readonly TouchingCommit[]) =>
  rankCommits(files, touching).map(({ commit }) => commit.id);

test('the innermost frame first, then the newest commit', () => {
  const touching = [touch(1, 'src/cart.ts'), touch(2, 'src/cart.ts'), touch(3, 'src/checkout.ts')];
  expect(ids([file('src/checkout.ts'), file('/app/src/cart.ts')], touching)).toEqual([3, 2, 1]);
  expect(ids([file('/app/src/cart.ts'), file('src/checkout.ts')], touching)).toEqual([2, 1, 3]);
});

test('the file with the most folders in common is the one', () => {
  const touching = [touch(1, 'admin/src/pages/index.ts'), touch(2, 'web/src/pages/index.ts')];
  expect(ids([file('/srv/web/src/pages/index.ts')], touching)).toEqual([2]);
  expect(ids([file('src/pages/index.ts')], touching)).toEqual([2, 1]);
  expect(ids([file('index.ts')], touching)).toEqual([]);
  expect(ids([file('lib/index.ts')], touching)).toEqual([]);
  expect(ids([file('index.ts')], [touch(1, 'index.ts')])).toEqual([1]);
});

test('a code mapping decides, and names the repository', () => {
  const touching = [
    touch(1, 'src/cart.ts', 1, 1),
    touch(2, 'web/src/cart.ts', 2, 1),
    touch(3, 'web/src/cart.ts', 3, 2),
  ];
  expect(ids([file('src/cart.ts', { repositoryId: 1, path: 'web/src/cart.ts' })], touching)).toEqual([2]);
});

test('a commit that changed several of the files is told once, with all of them', () => {
  const touching = [touch(1, 'src/cart.ts'), touch(1, 'src/checkout.ts')];
  expect(rankCommits([file('src/checkout.ts'), file('src/cart.ts')], touching)).toMatchObject([
    { frame: 0, files: ['src/checkout.ts', 'src/cart.ts'] },
  ]);
});
