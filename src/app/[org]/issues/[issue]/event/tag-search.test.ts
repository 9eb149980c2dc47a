import { describe, expect, it } from 'vitest';
import { parseIssueQuery } from '#product/issues/parse-issue-query.ts';
import { tagSearch } from './tag-search.ts';

const system = { kind: 'system' } as const;

describe('tagSearch', () => {
  it('writes searches that the parser reads back to the same value', () => {
    for (const release of ['web@2.1.0+5', 'my app "x" \\ [1]', 'a, b']) {
      expect(parseIssueQuery(tagSearch('release', release) ?? '', system).releases).toEqual([release]);
    }
    expect(parseIssueQuery(tagSearch('level', 'error') ?? '', system).levels).toEqual(['error']);
  });

  it('offers no search that would fail', () => {
    expect(tagSearch('browser', 'Safari')).toBeNull();
    expect(tagSearch('level', 'sample')).toBeNull();
  });
});
