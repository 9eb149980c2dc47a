import { expect, test } from 'vitest';
import { NO_RELEASE } from '../../release-options.ts';
import { chooseSides } from './choose-sides.ts';

const RELEASES = ['3', '2', null, '1'].map((release) => ({ release }));
const sides = (before: string | null, after: string | null, releases = RELEASES) =>
  Object.values(chooseSides(releases, { before, after }));

test('the latest release is compared with the one before, unless the address names others', () => {
  expect(sides(null, null)).toEqual(['2', '3']);
  expect(sides(null, '2')).toEqual(['1', '2']);
  expect(sides('1', '3')).toEqual(['1', '3']);
  expect(sides('1', null)).toEqual(['1', '3']);
});

test('without two releases the range is compared with the one before', () => {
  expect(sides(null, null, [])).toEqual([NO_RELEASE, NO_RELEASE]);
  expect(sides(null, null, [{ release: '1' }])).toEqual([NO_RELEASE, NO_RELEASE]);
  expect(sides(NO_RELEASE, null)).toEqual([NO_RELEASE, NO_RELEASE]);
  expect(sides(null, '1')).toEqual([NO_RELEASE, '1']);
  expect(sides('gone', 'also gone')).toEqual(['gone', 'also gone']);
});
