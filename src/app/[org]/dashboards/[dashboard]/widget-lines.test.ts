import { expect, test } from 'vitest';
import { WIDGET } from '#domain/dashboards/dashboard.ts';
import { linesOfQueries, queryNames } from './widget-lines.ts';
import { placesOf } from './widget-place.ts';

const chartOf = (keys: readonly (readonly string[])[]) => ({
  chart: {
    functions: [{ name: 'count()', type: 'integer' as const, over: () => ({}) as never }],
    range: { fromMs: 0, toMs: 60_000, bucketsFromMs: 0 },
    bucketMs: 60_000,
    series: keys.map((each) => ({ keys: each, values: [[1]] })),
  },
  totals: { functions: [], groups: [], distinct: 0, hasMore: false, issueTitles: new Map() },
});
const FILTERS = { projects: [], environments: [], time: { kind: 'last', period: '14d' } } as const;
const searchOf = (href: string | null) => new URL(href ?? '', 'http://x').searchParams.get('query');

test('every line has a label, a color and an address of its own', () => {
  const widget = WIDGET.parse({
    id: 'w',
    title: 'Errors',
    display: 'line',
    query: 'level:error',
    alias: 'Errors',
    groupBy: ['release'],
    moreQueries: [{ query: 'level:[error, fatal] OR x' }, { query: '' }, { query: '', alias: 'Errors' }],
  });
  const queries = [{ query: widget.query, alias: widget.alias }, ...widget.moreQueries];
  const variables = [{ field: 'environment', value: 'production' }];
  const lines = linesOfQueries(
    [chartOf([['a@1'], ['']]), chartOf([['a@1']]), chartOf([['a@1']]), chartOf([['a@1']])],
    queryNames(queries),
    placesOf('main', widget, FILTERS, variables),
  );
  expect(lines.map(({ label }) => label)).toEqual([
    'Errors · a@1',
    'Errors · (none)',
    'level:[error, fatal] OR x · a@1',
    'All · a@1',
    'Errors · a@1 (2)',
  ]);
  expect(new Set(lines.map(({ color }) => color)).size).toBe(5);
  expect(lines.map(({ href }) => searchOf(href))).toEqual([
    'level:error environment:production release:a@1',
    'level:error environment:production !has:release',
    '(level:[error, fatal] OR x) environment:production release:a@1',
    'environment:production release:a@1',
    'environment:production release:a@1',
  ]);
});

test('one query needs no name, and on a public page nothing leads anywhere', () => {
  expect(queryNames([{ query: 'level:error', alias: '' }])).toEqual(['']);
  expect(linesOfQueries([chartOf([[]])], [''], null)).toMatchObject([{ label: 'count()', href: null }]);
});
