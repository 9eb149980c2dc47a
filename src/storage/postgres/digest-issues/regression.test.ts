import { describe, expect, test } from 'vitest';
import { compareReleases } from '#protocol/release-version.ts';
import type { Archive } from '#storage/ports/issue-states.ts';
import { findEscalation, findRegression, isRegression } from './regression.ts';

const DATES: Readonly<Record<string, number>> = { '9f2c': 1, '8a2c': 2, '7b2c': 3 };
const order = (a: string, b: string) =>
  compareReleases({ version: a, dateMs: DATES[a] ?? 0 }, { version: b, dateMs: DATES[b] ?? 0 });

describe('isRegression', () => {
  test.each([
    ['web@1.9', false],
    ['web@2.0-rc.1', false],
    ['web@2.0', true],
    ['web@10.0', true],
    [null, true],
  ])('resolved in web@2.0, an event of %s: %s', (release, expected) => {
    expect(isRegression({ kind: 'release', release: 'web@2.0' }, release, order)).toBe(expected);
  });

  test.each([
    ['web@1.9', false],
    ['web@2.0', false],
    ['web@2.1', true],
    [null, true],
  ])('resolved in the release after web@2.0, an event of %s: %s', (release, expected) => {
    expect(isRegression({ kind: 'next_release', after: 'web@2.0' }, release, order)).toBe(expected);
  });

  test.each([
    ['9f2c', false],
    ['8a2c', true],
    ['7b2c', true],
  ])('without versions the dates decide: resolved in 8a2c, an event of %s: %s', (release, expected) => {
    expect(isRegression({ kind: 'release', release: '8a2c' }, release, order)).toBe(expected);
  });

  test('resolved now, any event; resolved in a commit that no release holds, none', () => {
    expect(isRegression({ kind: 'now' }, 'web@0.1', order)).toBe(true);
    expect(isRegression({ kind: 'commit', repository: 'r', commit: 'c' }, null, order)).toBe(false);
  });
});

test('only events that were received after it was resolved count, each with its own release', () => {
  const resolved = { resolution: { kind: 'release', release: 'web@2' }, resolvedAtMs: 100 } as const;
  const find = (received: [string | null, number][]) => findRegression(resolved, new Map(received), order);
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

describe('findEscalation', () => {
  const archive = (overrides: Partial<Archive> = {}): Archive => ({
    condition: { kind: 'events', count: 10, windowMinutes: null },
    archivedAt: 0,
    timesSeen: 5,
    userId: null,
    ...overrides,
  });

  test('with the event that makes the count, and not before', () => {
    const archived = { archive: archive(), escalatesAtTimesSeen: 15, escalatesBeforeMs: null };
    expect(findEscalation(archived, 14, 0)).toBeNull();
    expect(findEscalation(archived, 15, 0)).toEqual({ kind: 'events', count: 10, windowMinutes: null });
  });

  test('a forecast holds for its hour, and tells the events beside it', () => {
    const archived = {
      archive: archive({ condition: { kind: 'escalating' }, forecast: 20 }),
      escalatesAtTimesSeen: 100,
      escalatesBeforeMs: 3_600_000,
    };
    expect(findEscalation(archived, 99, 0)).toBeNull();
    expect(findEscalation(archived, 103, 3_599_999)).toEqual({ kind: 'forecast', forecast: 20, events: 24 });
    expect(findEscalation(archived, 103, 3_600_000)).toBeNull();
  });

  test('never without a count', () => {
    const archived = { archive: archive(), escalatesAtTimesSeen: null, escalatesBeforeMs: null };
    expect(findEscalation(archived, 1_000_000, 0)).toBeNull();
  });
});
