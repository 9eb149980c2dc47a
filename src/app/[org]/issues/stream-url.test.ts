import { describe, expect, it } from 'vitest';
import { currentTab, parseStreamState, streamHref } from './stream-url.ts';

const initial = parseStreamState({});

describe('stream state', () => {
  it('shows unresolved issues of two weeks, last seen first, when the address says nothing', () => {
    expect(initial).toEqual({
      query: 'is:unresolved',
      projects: [],
      environments: [],
      time: { kind: 'last', period: '14d' },
      sort: 'date',
      cursor: null,
    });
    expect(streamHref('acme', initial)).toBe('/acme/issues');
  });

  it('tells an emptied search from none', () => {
    expect(parseStreamState({ query: '' }).query).toBe('');
    expect(streamHref('acme', initial, { query: '' })).toBe('/acme/issues?query=');
  });

  it('survives the way through the address', () => {
    const state = {
      query: 'level:error "a & b"',
      projects: ['web', 'api'],
      environments: ['prod'],
      time: { kind: 'last', period: '7d' },
      sort: 'freq',
      cursor: 'abc',
    } as const;
    const url = new URL(streamHref('acme', state, { cursor: 'abc' }), 'http://x');
    const params: Record<string, string | string[]> = {};
    for (const key of url.searchParams.keys()) {
      const values = url.searchParams.getAll(key);
      params[key] = values.length > 1 ? values : (values[0] ?? '');
    }
    expect(parseStreamState(params)).toEqual(state);
  });

  it('goes back to the first page when a filter changes', () => {
    const state = { ...initial, cursor: 'page2' };
    expect(streamHref('acme', state, { sort: 'new' })).toBe('/acme/issues?sort=new');
    expect(streamHref('acme', state, { cursor: 'page3' })).toBe('/acme/issues?cursor=page3');
  });

  it('takes the default for a sort that does not exist', () => {
    expect(parseStreamState({ sort: 'constructor' }).sort).toBe('date');
  });

  it('knows which tab a search is', () => {
    expect(currentTab('  is:unresolved   assigned:me ')).toBe('forYou');
    expect(currentTab('is:unresolved level:error')).toBeNull();
  });
});
