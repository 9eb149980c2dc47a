import { expect, test } from 'vitest';
import { errorPosition, findInvalidFilter, searchTerm } from './search-term.ts';

test.each([
  ['release', 'web@1.2.0+7', 'release:web@1.2.0+7'],
  ['release', 'a "b" *', 'release:"a \\"b\\" \\*"'],
  ['plan', '>5', 'plan:">5"'],
  ['plan', '', '!has:plan'],
  ['is', 'x', 'tags[is]:x'],
  ['9lives', 'x', 'tags[9lives]:x'],
  ['tags[level]', 'x', 'tags[level]:x'],
  ['a key', 'x', null],
])('%s with %j is %s', (key, value, term) => {
  expect(searchTerm(key, value)).toBe(term);
});

test('the character that a message names, or none', () => {
  expect(errorPosition('The quote at character 12 is not closed')).toBe(12);
  expect(errorPosition('The search is longer than 1000 characters: shorten it')).toBeNull();
});

test.each([
  ['a:b is:open x', '"is:" does not support "open" at character 8', 'is:open'],
  ['a:b is:open x', '"is:open" at character 5 is wrong', 'is:open'],
  ['a:b is:open x', 'Unexpected character 13', null],
  ['a:b', 'The search is too long', null],
  ['a:b', null, null],
])('in %j, %j is about %j', (search, error, filter) => {
  expect(findInvalidFilter(search, error)).toBe(filter);
});
