import { expect, test } from 'vitest';
import { PLATFORMS, searchPlatforms } from './platforms.ts';

const found = (search: string) =>
  searchPlatforms(search).flatMap(({ platforms }) => platforms.map(({ id }) => id));

test('an empty search finds everything, in groups', () => {
  expect(found('')).toEqual(PLATFORMS.map(({ id }) => id));
});

test.each([
  ['swift', ['apple-ios', 'apple-macos']],
  ['DJANGO', ['python-django']],
  ['aws python', ['python-awslambda']],
  ['games', ['unity', 'unreal', 'godot']],
  ['cobol', []],
])('%s', (search, ids) => {
  expect(found(search)).toEqual(ids);
});
