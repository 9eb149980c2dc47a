import { describe, expect, it } from 'vitest';
import { parseSearch } from '#product/search/syntax/parse-search.ts';
import { ISSUE_KEYS } from '#product/search/syntax/search-keys.ts';
import { toMatch } from '#product/search/text-match.ts';
import { tagSearch } from './tag-list.tsx';

/** What the parser reads back: the key, and the value without quotes and backslashes. */
function readBack(search: string | null) {
  const [token, ...others] = parseSearch(search ?? '', ISSUE_KEYS);
  if (token?.kind !== 'filter' || token.value.kind !== 'text' || others.length > 0) return null;
  return [token.key.kind, token.key.name, toMatch(token.value.text)];
}

describe('tagSearch', () => {
  it('writes searches that the parser reads back to the same value', () => {
    for (const value of ['web@2.1.0+5', 'my app "x" \\ [1]', 'a, b', '5*', '(x)', '//x', '>5']) {
      expect(readBack(tagSearch('release', value))).toEqual([
        'simple',
        'release',
        { kind: 'exact', text: value },
      ]);
    }
    expect(readBack(tagSearch('is', 'new'))).toEqual(['tag', 'is', { kind: 'exact', text: 'new' }]);
    expect(readBack(tagSearch('a:b', 'c'))).toEqual(['tag', 'a:b', { kind: 'exact', text: 'c' }]);
  });

  it('offers no search that would fail', () => {
    expect(tagSearch('a key', 'Safari')).toBeNull();
    expect(tagSearch('browser', '')).toBeNull();
  });
});
