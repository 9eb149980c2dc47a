import { expect, test } from 'vitest';
import { parseRowsState, ROWS_PAGES, rowsHref } from './rows-state.ts';

const { fields } = ROWS_PAGES.errors;

test.each([
  [{}, { view: 'samples', fields, sort: null }],
  [
    { column: ['plan', 'issue'], sort: 'oldest' },
    { fields: ['title', 'plan', 'issue'], sort: 'timestamp' },
  ],
  [
    { column: 'plan', sort: 'newest' },
    { fields: ['title', 'plan'], sort: '-timestamp' },
  ],
  [{ group: 'release' }, { view: 'groups', groupBy: ['release'], sort: null }],
  [
    { group: 'release', sort: '-users' },
    { view: 'groups', sort: '-count_unique(user)' },
  ],
  [
    { group: 'release', sort: 'value', offset: '50' },
    { view: 'groups', sort: 'release', offset: 50 },
  ],
  [
    { group: 'release', view: 'samples' },
    { view: 'samples', groupBy: ['release'] },
  ],
] as const)('%j of an older address is understood', (params, expected) => {
  expect(parseRowsState('errors', params as never)).toMatchObject(expected);
});

test('a group that is not shown says so', () => {
  const state = { ...parseRowsState('errors', {}), groupBy: ['release'] };
  expect(rowsHref({ organizationSlug: 'acme', state })).toBe(
    '/acme/explore/errors?view=samples&group=release',
  );
});
