import { describe, expect, test } from 'vitest';
import { compareReleases } from '#protocol/release-version.ts';
import { findNextReleases, findRegression, isRegression } from './regression.ts';

const DATES: Readonly<Record<string, number>> = {
  '9f2c': 1,
  '8a2c': 2,
  '7b2c': 3,
  'web@0.9': 5,
  'api@1.0': 4,
};
const order = (a: string, b: string) =>
  compareReleases({ version: a, dateMs: DATES[a] ?? 0 }, { version: b, dateMs: DATES[b] ?? 0 });
const web = { package: 'web', order };
const unnamed = { package: null, order };

describe('isRegression', () => {
  test.each([
    ['web@1.9', false],
    ['web@2.0-rc.1', false],
    ['web@2.0', true],
    ['web@10.0', true],
    ['api@9.0', false],
    ['9f2c', false],
    [null, true],
  ])('resolved in web@2.0, an event of %s: %s', (release, expected) => {
    expect(isRegression({ kind: 'release', release: 'web@2.0' }, release, web)).toBe(expected);
  });

  test.each([
    ['web@1.9', false],
    ['web@2.0', false],
    ['web@2.1', true],
    ['api@9.0', false],
    [null, true],
  ])('resolved in the release after web@2.0, an event of %s: %s', (release, expected) => {
    expect(isRegression({ kind: 'next_release', after: 'web@2.0' }, release, web)).toBe(expected);
  });

  test.each([
    ['9f2c', false],
    ['8a2c', true],
    ['7b2c', true],
    ['api@1.0', false],
  ])('without versions the dates decide: resolved in 8a2c, an event of %s: %s', (release, expected) => {
    expect(isRegression({ kind: 'release', release: '8a2c' }, release, unnamed)).toBe(expected);
  });

  test('resolved now, any event; resolved in a commit that no release holds, none', () => {
    expect(isRegression({ kind: 'now' }, 'web@0.1', web)).toBe(true);
    expect(isRegression({ kind: 'now' }, 'api@0.1', web)).toBe(true);
    expect(isRegression({ kind: 'commit', repository: 'r', commit: 'c' }, null, web)).toBe(false);
  });
});

test('only events that were received after it was resolved count, each with its own release', () => {
  const resolved = { resolution: { kind: 'release', release: 'web@2' }, resolvedAtMs: 100 } as const;
  const find = (received: [string | null, number][]) => findRegression(resolved, new Map(received), web);
  expect(find([['web@3', 100]])).toBeUndefined();
  expect(
    find([
      ['web@3', 99],
      ['web@1', 101],
    ]),
  ).toBeUndefined();
  expect(
    find([
      ['web@1', 101],
      ['web@3', 101],
    ]),
  ).toBe('web@3');
  expect(find([[null, 101]])).toBeNull();
});

test('a release of another package that the issue was resolved in is compared by date', () => {
  const resolution = { kind: 'release', release: 'api@1.0' } as const;
  expect(isRegression(resolution, 'web@9.0', web)).toBe(false);
  expect(isRegression(resolution, 'web@0.9', web)).toBe(true);
});

describe('findNextReleases', () => {
  const pending = (issueId: number, after: string) => ({ issueId, organizationId: 1, projectId: 1, after });
  const releases = (...versions: string[]) => versions.map((version) => ({ projectId: 1, version }));
  const next = (after: string, ...versions: string[]) =>
    findNextReleases([pending(7, after)], releases(...versions), () => web).get(7)?.version;

  test('is the oldest of the releases that are newer than the one at that time', () => {
    expect(next('web@1.0', 'web@3.0', 'web@2.0', 'web@0.9')).toBe('web@2.0');
  });

  test('is not known while every release is as old, or of another package or project', () => {
    expect(next('web@1.0', 'web@1.0', 'web@0.9')).toBeUndefined();
    expect(next('web@1.0', 'api@2.0', 'web@1.1')).toBe('web@1.1');
    expect(next('web@1.0', 'api@2.0', '7b2c')).toBeUndefined();
    const other = [{ projectId: 2, version: 'web@2.0' }];
    expect(findNextReleases([pending(7, 'web@1.0')], other, () => web).size).toBe(0);
  });
});
