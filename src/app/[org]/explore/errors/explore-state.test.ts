import { expect, test } from 'vitest';
import { COLUMNS_DEFAULT, exploreHref, exportHref, parseExploreState } from './explore-state.ts';

const initial = parseExploreState({});

function reread(href: string) {
  const params: Record<string, string | string[]> = {};
  const { searchParams } = new URL(href, 'http://x');
  for (const key of searchParams.keys()) params[key] = searchParams.getAll(key);
  return parseExploreState(params);
}

test('an address that says nothing shows the newest events with the usual columns', () => {
  expect(initial).toMatchObject({ query: '', group: null, order: 'newest', columns: COLUMNS_DEFAULT });
  expect(exploreHref('acme', initial)).toBe('/acme/explore/errors');
});

test.each([
  { query: 'level:error "a & b"', columns: ['release', 'tags[plan]'], order: 'oldest', cursor: 'abc' },
  { group: 'user.email', groupSort: 'users', isDescending: false, offset: 50 },
  { group: 'release', groupSort: 'value', isDescending: true },
  { group: 'release', groupSort: 'events', isDescending: false },
] as const)('%j survives the way through the address', (change) => {
  expect(reread(exploreHref('acme', initial, change))).toEqual({ ...initial, ...change });
});

test('a change starts at the first page; what cannot be read is the default', () => {
  const later = { ...initial, cursor: 'page2' };
  expect(exploreHref('acme', later, { query: 'x' })).toBe('/acme/explore/errors?query=x');
  expect(parseExploreState({ sort: 'constructor', offset: '-4', group: ' ' })).toEqual(initial);
  expect(exportHref('acme', { ...later, query: 'x' })).toBe('/acme/explore/errors/csv?query=x');
});
