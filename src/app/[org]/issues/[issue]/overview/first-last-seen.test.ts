import { expect, it } from 'vitest';
import { changeNote } from './first-last-seen.tsx';

it.each([
  ['a@1', 'a@2', 'a@3', /^Not seen in the latest release, a@3/],
  ['a@1', 'a@3', 'a@3', /^Still happening/],
  ['a@3', 'a@3', 'a@3', /^New in the latest/],
  ['a@1', null, 'a@3', /has no release/],
])('first in %s, last in %s, newest %s', (firstRelease, lastRelease, newest, words) => {
  expect(changeNote({ firstRelease, lastRelease }, newest, false)).toMatch(words);
});

it('says nothing where there are no releases', () => {
  expect(changeNote({ firstRelease: null, lastRelease: null }, null, false)).toBeNull();
});

it('was seen in the latest release, though its last event is of an older one', () => {
  const words = 'Also seen in the latest release, a@3.';
  expect(changeNote({ firstRelease: 'a@1', lastRelease: 'a@2' }, 'a@3', true)).toBe(words);
});
