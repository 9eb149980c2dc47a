import { expect, test } from 'vitest';
import { parseRowsState, rowsHref } from './rows-state.ts';

const place = { organizationSlug: 'acme', state: parseRowsState('traces', {}) };

function reread(href: string) {
  const params: Record<string, string[]> = {};
  const { searchParams } = new URL(href, 'http://x');
  for (const key of searchParams.keys()) params[key] = searchParams.getAll(key);
  return parseRowsState('traces', params);
}

test('an address that says nothing shows the usual', () => {
  expect(place.state).toMatchObject({ query: 'is_transaction:true', view: 'samples', sort: null });
  expect(rowsHref(place)).toBe('/acme/explore/traces');
  expect(parseRowsState('metrics', {}).view).toBe('groups');
});

test.each([
  { query: '' },
  { query: 'span.op:db "a & b"', fields: ['span.op', 'db.system'], sort: '-span.duration', cursor: 'abc' },
  { view: 'groups', groupBy: [], functions: ['p95(span.duration)'], offset: 50, isCompared: true },
] as const)('%j survives the way through the address', (change) => {
  expect(reread(rowsHref(place, change))).toEqual({ ...place.state, ...change });
});

test('a change starts at the first page, and a file has them all', () => {
  const later = { ...place, state: { ...place.state, cursor: 'page2' } };
  expect(rowsHref(later, { query: 'x' })).toBe('/acme/explore/traces?query=x');
  expect(rowsHref(later, {}, '/csv')).toBe('/acme/explore/traces/csv');
});
