import { expect, it } from 'vitest';
import { changeNote } from './change-note.ts';

it.each([
  ['a@1', 'a@2', 'a@3', /not been seen in the newest release, a@3/],
  ['a@1', 'a@3', 'a@3', /still happens/],
  ['a@3', 'a@3', 'a@3', /new in the newest/],
  ['a@1', null, 'a@3', /without a release/],
])('first in %s, last in %s, newest %s', (firstRelease, lastRelease, newest, words) => {
  expect(changeNote({ firstRelease, lastRelease }, newest)).toMatch(words);
});

it('says nothing where there are no releases', () => {
  expect(changeNote({ firstRelease: null, lastRelease: null }, null)).toBeNull();
});
