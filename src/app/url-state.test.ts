import { describe, expect, it } from 'vitest';
import {
  FILTER_PARAMETERS,
  filterEntries,
  parsePageFilters,
  parseTime,
  periodLabel,
  timeBounds,
  withFilters,
  withQuery,
} from './url-state.ts';

describe('url state', () => {
  it('takes the default range for anything unknown', () => {
    expect(periodLabel(parseTime({}))).toBe('Last 14 days');
    expect(periodLabel(parseTime({ range: 'forever' }))).toBe('Last 14 days');
    expect(periodLabel(parseTime({ range: ['7d', '30d'] }))).toBe('Last 7 days');
  });

  it('reads projects once each and without blanks', () => {
    expect(parsePageFilters({ project: ['web', 'api', 'web', ''] }).projects).toEqual(['web', 'api']);
    expect(parsePageFilters({ project: 'web' }).projects).toEqual(['web']);
    expect(parsePageFilters({}).projects).toEqual([]);
  });

  it('writes only what is set, encoded', () => {
    expect(withQuery('/a', { query: 'is:unresolved "x & y"', cursor: null, project: ['p', 'q'] })).toBe(
      '/a?query=is%3Aunresolved+%22x+%26+y%22&project=p&project=q',
    );
    expect(withQuery('/a', { cursor: null, project: [] })).toBe('/a');
  });

  it('keeps an empty value: an empty search differs from none', () => {
    expect(withQuery('/a', { query: '' })).toBe('/a?query=');
  });
});

describe('page filters', () => {
  it('survive the way through the address', () => {
    const filters = {
      projects: ['web', 'api'],
      environments: ['prod', 'a & b'],
      time: { kind: 'between', fromMs: Date.UTC(2026, 10, 1, 8), toMs: Date.UTC(2026, 10, 2) },
    } as const;
    const url = new URL(withQuery('/acme/issues', filterEntries(filters)), 'http://x');
    const params = Object.fromEntries(
      [...url.searchParams.keys()].map((key) => [key, url.searchParams.getAll(key)]),
    );
    expect(parsePageFilters(params)).toEqual(filters);
  });

  it('leave the address alone when nothing is chosen', () => {
    expect(withQuery('/acme/issues', filterEntries(parsePageFilters({})))).toBe('/acme/issues');
  });

  it.each([
    ['3d', 'Last 3 days', 3 * 86_400_000],
    ['1w', 'Last week', 7 * 86_400_000],
    ['24h', 'Last 24 hours', 86_400_000],
    ['90m', 'Last 90 minutes', 5_400_000],
  ])('take any length of time: %s', (range, label, ms) => {
    const time = parseTime({ range });
    expect(periodLabel(time)).toBe(label);
    expect(timeBounds(time, 1e12)).toEqual({ fromMs: 1e12 - ms, toMs: 1e12 });
  });

  it.each(['0d', '9999w', '-1d', '1y', '14', 'constructor', ''])(
    'take the default for the length %j',
    (range) => {
      expect(parseTime({ range })).toEqual({ kind: 'last', period: '14d' });
    },
  );

  it('know the names that Sentry uses', () => {
    expect(parseTime({ statsPeriod: '30d' })).toEqual({ kind: 'last', period: '30d' });
    expect(parseTime({ start: '2026-11-01T10:00:00', end: '2026-11-02T10:00:00.000Z', utc: 'true' })).toEqual(
      {
        kind: 'between',
        fromMs: Date.UTC(2026, 10, 1, 10),
        toMs: Date.UTC(2026, 10, 2, 10),
      },
    );
  });

  it('do not take moments that are reversed, alone or no moments', () => {
    const later = '2026-11-02T00:00:00Z';
    expect(parseTime({ start: later, end: '2026-11-01' }).kind).toBe('last');
    expect(parseTime({ start: later }).kind).toBe('last');
    expect(parseTime({ start: 'yesterday', end: later }).kind).toBe('last');
  });

  it('are bounded', () => {
    const years = parseTime({ start: '1990-01-01', end: '2026-11-02' });
    expect(years.kind === 'between' && years.toMs - years.fromMs).toBe(365 * 86_400_000);
    expect(
      parsePageFilters({ environment: Array.from({ length: 500 }, (_, i) => `e${i}`) }).environments,
    ).toHaveLength(100);
  });
});

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
