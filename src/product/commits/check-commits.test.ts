import { expect, test } from 'vitest';
import {
  COMMITS_MAX,
  checkCommits,
  checkRefs,
  FILES_PER_COMMIT_MAX,
  MESSAGE_CHARACTERS_MAX,
} from './check-commits.ts';

const NOW_MS = 1_000_000;

test('newest first, whole, with what is missing filled in', () => {
  const [second, first] = checkCommits(
    [
      { id: 'a1', committedAt: 5, authorEmail: ' Ada@Example.com ', authorName: 'Ada' },
      { id: 'b2', repository: 'acme/web', message: 'm', files: [{ path: 'src/a.ts', type: 'R' }] },
    ],
    NOW_MS,
  );
  expect(second).toEqual({
    repository: 'acme/web',
    key: 'b2',
    message: 'm',
    author: { name: null, email: null },
    committedAt: NOW_MS,
    files: [{ path: 'src/a.ts', change: 'M' }],
  });
  expect(first).toMatchObject({
    repository: 'default',
    author: { name: 'Ada', email: 'ada@example.com' },
    committedAt: 5,
    files: [],
  });
});

test('what is too long is cut or left out, and what says so is skipped', () => {
  const files = Array.from({ length: FILES_PER_COMMIT_MAX + 5 }, (_, index) => ({
    path: `f${index}`,
    type: 'A',
  }));
  const [only, ...others] = checkCommits(
    [
      {
        id: 'a',
        message: 'x'.repeat(MESSAGE_CHARACTERS_MAX + 1),
        files: [{ path: 'p'.repeat(600), type: 'A' }, ...files],
      },
      { id: 'b', message: 'merge #skipsentry' },
    ],
    NOW_MS,
  );
  expect(others).toEqual([]);
  expect(only?.message).toHaveLength(MESSAGE_CHARACTERS_MAX);
  expect(only?.files).toHaveLength(FILES_PER_COMMIT_MAX);
});

test.each([
  [[{ id: '' }]],
  [[{ id: 'a b' }]],
  [[{ id: 'a'.repeat(65) }]],
  [[{ id: 'a', repository: 'r\n'.repeat(2) }]],
  [Array.from({ length: COMMITS_MAX + 1 }, (_, index) => ({ id: String(index) }))],
])('refused', (commits) => {
  expect(() => checkCommits(commits, NOW_MS)).toThrow();
});

test('a range names both ends', () => {
  expect(
    checkRefs([
      { repository: 'acme/web', commit: 'aaa..bbb' },
      { repository: 'acme/api', commit: 'ccc', previousCommit: 'ddd' },
      { repository: 'acme/lib', commit: 'eee' },
    ]),
  ).toEqual([
    { repository: 'acme/web', commitKey: 'bbb', previousKey: 'aaa' },
    { repository: 'acme/api', commitKey: 'ccc', previousKey: 'ddd' },
    { repository: 'acme/lib', commitKey: 'eee', previousKey: null },
  ]);
  expect(() => checkRefs([{ repository: '', commit: 'a' }])).toThrow(/repository/);
  expect(() => checkRefs([{ repository: 'r', commit: '' }])).toThrow(/commit/);
});

test.each(['', '../../../evil', 'a/b', 'a..b', '.', '..', 'a b', 'a?b', 'a#b', 'ä', 'a'.repeat(65)])(
  'a commit is named by its hash, which leads nowhere else: %j',
  (id) => {
    const refused = expect.objectContaining({ code: 'invalid' });
    expect(() => checkCommits([{ id }], NOW_MS)).toThrow(refused);
    if (!id.includes('..')) expect(() => checkRefs([{ repository: 'web', commit: id }])).toThrow(refused);
    expect(() => checkRefs([{ repository: 'web', commit: 'abc', previousCommit: id || ' ' }])).toThrow(
      refused,
    );
  },
);

test.each(['8d51d0ca0b6f', 'r1234', 'v1.2.3', 'main_2-b'])('%s names one', (id) => {
  expect(checkCommits([{ id }], NOW_MS)[0]?.key).toBe(id);
});
