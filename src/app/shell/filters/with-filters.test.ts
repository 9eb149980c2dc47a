import { expect, it } from 'vitest';
import { FILTER_PARAMETERS } from '../../url-state.ts';
import { withFilters } from './with-filters.ts';

const here = new URLSearchParams('query=is%3Anew&project=web&range=7d&cursor=abc&column=a&column=b');

it('replaces the filters and keeps everything else but the place in a list', () => {
  expect(withFilters('/acme/issues', here, FILTER_PARAMETERS, { project: ['api'], range: null })).toBe(
    '/acme/issues?query=is%3Anew&column=a&column=b&project=api',
  );
});

it('drops a range of Sentry when another time is chosen', () => {
  const sentry = new URLSearchParams('statsPeriod=90d');
  expect(withFilters('/a', sentry, FILTER_PARAMETERS, { start: 'x', end: 'y' })).toBe('/a?start=x&end=y');
});
