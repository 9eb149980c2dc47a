import { describe, expect, it } from 'vitest';
import { parseProjects, parseRange, rangeBounds, withQuery } from './url-state.ts';

describe('url state', () => {
  it('takes the default range for anything unknown', () => {
    expect(parseRange({})).toBe('14d');
    expect(parseRange({ range: 'forever' })).toBe('14d');
    expect(parseRange({ range: ['7d', '30d'] })).toBe('7d');
  });

  it('gives a range that ends now', () => {
    expect(rangeBounds('1h', 10_000_000)).toEqual({ fromMs: 10_000_000 - 3_600_000, toMs: 10_000_000 });
  });

  it('reads projects once each and without blanks', () => {
    expect(parseProjects({ project: ['web', 'api', 'web', ''] })).toEqual(['web', 'api']);
    expect(parseProjects({ project: 'web' })).toEqual(['web']);
    expect(parseProjects({})).toEqual([]);
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
