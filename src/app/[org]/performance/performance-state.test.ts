import { expect, test } from 'vitest';
import { transactionHref } from '../transaction-href.ts';
import { spansOfNumber } from './number-links.ts';
import { parsePerformanceState, performanceHref, spansHref } from './performance-state.ts';

const state = parsePerformanceState({ project: ['web', 'api'], range: '24h', query: 'a OR b', cursor: '50' });

test('an address and what it says are the same', () => {
  const place = { organizationSlug: 'main', tab: 'queries', state } as const;
  expect(performanceHref(place, { offset: 50 })).toBe(
    '/main/performance/queries?project=web&project=api&range=24h&query=a+OR+b&cursor=50',
  );
  // Another order begins at the first page.
  expect(performanceHref(place, { sort: 'count()' })).not.toContain('cursor');
  expect(parsePerformanceState({ cursor: 'x', sort: '' })).toMatchObject({ offset: 0, sort: null });
});

test('a number leads to the spans that it counts: of its group, and of what was searched for', () => {
  const address = new URL(
    spansHref('main', state, {
      within: 'span.op:db',
      keys: [
        { field: 'span.description', value: 'SELECT "a" * FROM b' },
        { field: 'release', value: '' },
        { field: 'project', value: 'api' },
      ],
      entries: { sort: '-span.duration' },
    }),
    'http://localhost',
  );
  expect(address.pathname).toBe('/main/explore/traces');
  expect(address.searchParams.getAll('project')).toEqual(['api']);
  expect(address.searchParams.get('query')).toBe(
    'span.op:db span.description:"SELECT \\"a\\" \\* FROM b" !has:release (a OR b)',
  );
  expect(address.searchParams.get('sort')).toBe('-span.duration');
});

test.each([
  ['count()', ''],
  ['epm()', ''],
  ['p95(span.duration)', ''],
  ['failure_rate()', '!span.status:[ok,cancelled,unknown,unset]'],
  ['apdex(300)', 'span.duration:>300ms'],
  ['count_unique(user)', 'has:user'],
  ['avg(cache.hit)', 'has:cache.hit'],
  ['p75(lcp)', 'has:lcp'],
  ['avg(messaging.message.receive.latency)', 'has:messaging.message.receive.latency'],
])('%s is of spans with "%s"', (fn, search) => {
  expect(spansOfNumber(fn).search).toBe(search);
});

test('the page of a transaction keeps the environment and the time', () => {
  expect(transactionHref('main', 'web', 'GET /a?b', { ...state.filters, environments: ['prod'] })).toBe(
    '/main/performance/transactions/web?transaction=GET+%2Fa%3Fb&environment=prod&range=24h',
  );
});
