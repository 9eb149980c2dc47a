import { expect, test } from 'vitest';
import { parseRowsState } from './rows-state.ts';
import { displaysOf } from './widget-displays.ts';
import { widgetOfQuestion } from './widget-of-question.ts';

const named = { id: 'w1', title: 'Slow', keepsFilters: true } as const;

test('a question keeps its search, functions, groups and order, and its filters as part of the search', () => {
  const state = parseRowsState('traces', {
    query: 'span.op:db OR span.op:http',
    view: 'groups',
    function: ['p95(span.duration)', 'count()'],
    group: ['span.op', 'project'],
    sort: '-count()',
    project: ['web', 'api'],
    environment: 'qa 2',
  });
  expect(widgetOfQuestion(state, { ...named, display: 'table' })).toMatchObject({
    dataset: 'spans',
    query: '(span.op:db OR span.op:http) project:[web, api] environment:"qa 2"',
    functions: ['p95(span.duration)', 'count()'],
    groupBy: ['span.op', 'project'],
    sort: '-count()',
    limit: 10,
  });
  expect(widgetOfQuestion(state, { ...named, display: 'line', keepsFilters: false })).toMatchObject({
    query: 'span.op:db OR span.op:http',
    limit: 5,
  });
  expect(widgetOfQuestion(state, { ...named, display: 'number' })).toMatchObject({ groupBy: [], sort: null });
});

test('rows become a list with their columns, or how many there are over time', () => {
  const state = parseRowsState('errors', {
    query: 'level:error',
    field: ['title', 'user'],
    sort: '-timestamp',
  });
  expect(displaysOf(state)[0]).toBe('list');
  expect(widgetOfQuestion(state, { ...named, display: 'list' })).toMatchObject({
    dataset: 'errors',
    query: 'level:error',
    fields: ['title', 'user'],
    sort: '-timestamp',
  });
  expect(widgetOfQuestion(state, { ...named, display: 'line' })).toMatchObject({
    functions: ['count()'],
    groupBy: [],
    fields: [],
    sort: null,
  });
});
