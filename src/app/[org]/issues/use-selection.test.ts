import { expect, it } from 'vitest';
import { keysBetween, toggled } from './use-selection.tsx';

const KEYS = ['a', 'b', 'c', 'd', 'e'];
const select = (selected: string[], key: string, from?: string) =>
  [...toggled(new Set(selected), key, from === undefined ? [] : keysBetween(KEYS, from, key))].sort();

it('toggles one entry', () => {
  expect(select(['a'], 'c')).toEqual(['a', 'c']);
  expect(select(['a', 'c'], 'c')).toEqual(['a']);
});

it('selects the range to the last entry in both directions, and keeps what is outside of it', () => {
  expect(select(['b'], 'd', 'b')).toEqual(['b', 'c', 'd']);
  expect(select(['a', 'd'], 'b', 'd')).toEqual(['a', 'b', 'c', 'd']);
});

it('deselects the range when the entry was selected', () => {
  expect(select(['a', 'b', 'c', 'd'], 'b', 'd')).toEqual(['a']);
});

it('toggles only the entry when the last one has left the page', () => {
  expect(select(['x'], 'c', 'x')).toEqual(['c', 'x']);
});
