import { expect, test } from 'vitest';
import { HOUR_MS } from '#lib/time.ts';
import { KnownValues } from './known-values.ts';

function remember(known: KnownValues, ...values: [prefix: string, name: string, value: string][]): void {
  for (const value of values) {
    known.isKnown(...value);
    known.add(known.lastKey);
  }
}

test('knows what was added, of the same hash, project and day only', () => {
  const known = new KnownValues(0);
  known.begin(1, 'hash', 20_000);
  expect(known.isKnown('tag:', 'browser', 'Firefox')).toBe(false);
  remember(known, ['tag:', 'browser', 'Firefox'], ['', 'level', 'error']);
  expect(known.isKnown('tag:', 'browser', 'Firefox')).toBe(true);
  expect(known.isKnown('', 'level', 'error')).toBe(true);
  expect(known.isKnown('', 'browser', 'Firefox')).toBe(false);
  expect(known.isKnown('tag:', 'browser', 'Firefoy')).toBe(false);
  for (const [projectId, hash, day] of [
    [2, 'hash', 20_000],
    [1, 'other', 20_000],
    [1, 'hash', 20_001],
  ] as const) {
    known.begin(projectId, hash, day);
    expect(known.isKnown('tag:', 'browser', 'Firefox')).toBe(false);
  }
});

test('texts are not taken for each other where one ends and the next begins', () => {
  const known = new KnownValues(0);
  known.begin(1, 'hash', 1);
  remember(known, ['', 'ab', 'c']);
  expect(known.isKnown('', 'a', 'bc')).toBe(false);
  expect(known.isKnown('a', 'b', 'c')).toBe(false);
});

test('tells a hundred thousand values apart', () => {
  const known = new KnownValues(0);
  known.begin(1, 'hash', 1);
  let mistaken = 0;
  for (let index = 0; index < 100_000; index++) {
    if (known.isKnown('tag:', 'customer', `customer ${index}`)) mistaken += 1;
    known.add(known.lastKey);
  }
  expect(mistaken).toBe(0);
});

test('forgets after an hour', () => {
  const known = new KnownValues(0);
  known.begin(1, 'hash', 1);
  remember(known, ['', 'level', 'error']);
  known.refresh(HOUR_MS - 1);
  expect(known.isKnown('', 'level', 'error')).toBe(true);
  known.refresh(HOUR_MS);
  expect(known.isKnown('', 'level', 'error')).toBe(false);
});
