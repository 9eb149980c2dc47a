import { expect, test } from 'vitest';
import { wordAt } from './word-at.ts';

/** The caret is where the bar is. */
const at = (query: string) => wordAt(query.replace('|', ''), query.indexOf('|'));

test.each([
  ['|', { kind: 'key', text: '', isNegated: false, start: 0, end: 0 }],
  ['is:new le|', { kind: 'key', text: 'le', isNegated: false, start: 7, end: 9 }],
  ['!le|vel', { kind: 'key', text: 'le', isNegated: true, start: 1, end: 6 }],
  ['(bro|', { kind: 'key', text: 'bro', isNegated: false, start: 1, end: 4 }],
  ['is:un|', { kind: 'value', key: 'is', text: 'un', start: 3, end: 5 }],
  ['level:[error, fa|]', { kind: 'value', key: 'level', text: 'fa', start: 14, end: 16 }],
  ['timesSeen:>|', { kind: 'value', key: 'timesSeen', text: '', start: 11, end: 11 }],
  ['customer:"ac|', { kind: 'value', key: 'customer', text: 'ac', start: 10, end: 12 }],
  ['tags[a:b]:x|', { kind: 'value', key: 'tags[a:b]', text: 'x', start: 10, end: 11 }],
])('%s', (query, expected) => {
  expect(at(query)).toEqual(expected);
});

test.each(['"a phr|', 'what? is|?', 'a/b|'])('nothing to complete: %s', (query) => {
  expect(at(query)?.kind === 'value' ? at(query) : null).toBeNull();
});
