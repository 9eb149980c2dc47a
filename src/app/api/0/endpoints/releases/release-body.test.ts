import { expect, test, vi } from 'vitest';
import { readJsonBody } from '#app/api/0/read-body.ts';
import { NEW_RELEASE, parseMoment, RELEASE_CHANGE, toReleaseContent } from './release-body.ts';

const requestOf = (body: unknown) =>
  new Request('http://127.0.0.1/', { method: 'POST', body: JSON.stringify(body) });
const readNewRelease = async (body: unknown) =>
  toReleaseContent(await readJsonBody(requestOf(body), NEW_RELEASE));

test('what is null or absent stays as it is; an empty text takes away', async () => {
  const change = RELEASE_CHANGE.parse({ url: null, ref: '', status: null, dateReleased: null });
  expect(toReleaseContent(change)).toEqual({
    change: { ref: null },
    commits: undefined,
    refs: undefined,
  });
});

test('commits and refs, also in their older form', async () => {
  const body = await readNewRelease({
    version: 'web@1',
    projects: ['web', 7],
    commits: [{ id: 'a', timestamp: '2026-01-31T12:00:00+01:00', patch_set: null, author_name: null }],
    headCommits: [{ repository: 'acme/web', currentId: 'b', previousId: 'a' }],
  });
  expect(body.commits).toMatchObject([{ id: 'a', committedAt: Date.UTC(2026, 0, 31, 11), files: null }]);
  expect(body.refs).toEqual([{ repository: 'acme/web', commit: 'b', previousCommit: 'a' }]);
});

test.each([
  { version: 'a', projects: 'web' },
  { version: 'a', commits: [{}] },
  { version: 'a', commits: [{ id: 'a', timestamp: 'yesterday' }] },
  { version: 'a', status: 'deleted' },
  {},
])('%j is refused', async (body) => {
  await expect(readNewRelease(body)).rejects.toMatchObject({ code: 'invalid' });
});

test('a time without a zone is UTC', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(parseMoment('2026-01-31', 'x')).toBe(Date.UTC(2026, 0, 31));
  expect(parseMoment('2026-01-31T12:00:00', 'x')).toBe(Date.UTC(2026, 0, 31, 12));
  expect(parseMoment('2026-01-31T12:00:00.123456789Z', 'x')).toBe(Date.UTC(2026, 0, 31, 12, 0, 0, 123));
  expect(parseMoment('2026-01-31 12:00:00', 'x')).toBe(Date.UTC(2026, 0, 31, 12));
  expect(parseMoment('2026-01-31 12:00:00 +0200', 'x')).toBe(Date.UTC(2026, 0, 31, 10));
  expect(parseMoment('2026-01-31t12:00:00.5-01:00', 'x')).toBe(Date.UTC(2026, 0, 31, 13, 0, 0, 500));
  vi.unstubAllEnvs();
});

test.each(['12:00', '0000-01-01', '1969-12-31T23:59:59Z', '2026-13-01', '2026-01-31 noon', '2026-01-31T12Z'])(
  'is no time: %s',
  (written) => {
    expect(() => parseMoment(written, 'dateReleased')).toThrow(/dateReleased/);
  },
);
