import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { parseSearch, QUERY_CHARACTERS_MAX } from '#product/search/syntax/parse-search.ts';
import { ISSUE_KEYS } from '#product/search/syntax/search-keys.ts';
import type { SearchToken } from '#product/search/syntax/search-tokens.ts';
import { openDraft, searchOf } from './search-draft.ts';
import { readFilterWord, splitSearch } from './split-search.ts';

describe('what is taken out', () => {
  test.each<[string, readonly string[]]>([
    ['', ['']],
    ['is:unresolved', ['', 'is:unresolved', '']],
    ['cannot read level:error of', ['cannot read', 'level:error', 'of']],
    ['a:b c:d', ['', 'a:b', '', 'c:d', '']],
    ['a:b OR c:d', ['', 'a:b', 'OR', 'c:d', '']],
    ['x (a:b OR c:d) e:f', ['x (a:b OR c:d)', 'e:f', '']],
    ['"a:b c" !d:"e f"', ['"a:b c"', '!d:"e f"', '']],
    ['level:[error, "b c"] x', ['', 'level:[error, "b c"]', 'x']],
    ['tags[a:b]:c timesSeen:>=1.5k', ['', 'tags[a:b]:c', '', 'timesSeen:>=1.5k', '']],
    ['a: https://x.test/?q=1 Foo::bar 12:30:05', ['a: https://x.test/?q=1 Foo::bar', '12:30:05', '']],
    ['a:"b c', ['a:"b c']],
    ['(a:b c:d', ['(a:b c:d']],
    ['level:[error, fat', ['level:[error, fat']],
  ])('%j', (search, parts) => {
    expect(splitSearch(search).parts).toEqual(parts);
  });

  test.each([
    ['!release.version:>=1.2', { isNegated: true, key: 'release.version', operator: '>=', value: '1.2' }],
    ['a:"b \\" c"', { isNegated: false, key: 'a', operator: '', value: '"b \\" c"' }],
    ['a:\uF00DContains\uF00Db', { isNegated: false, key: 'a', operator: '\uF00DContains\uF00D', value: 'b' }],
    ['count():>5', null],
    ['word', null],
  ])('%j is read', (word, filter) => {
    expect(readFilterWord(word)).toEqual(filter);
  });
});

/** What a search says, wherever it says so and whatever blanks are around its texts. */
const meaningOf = (search: string): unknown =>
  parse(search)
    ?.map((token) =>
      JSON.parse(JSON.stringify(token), (key, value) => {
        if (key === 'start' || key === 'end') return undefined;
        return key === 'text' ? value.replace(/[\r\n]/g, ' ').trim() : value;
      }),
    )
    .filter((token) => token.kind !== 'text' || token.text !== '');

function parse(search: string): readonly SearchToken[] | null {
  try {
    return parseSearch(search, ISSUE_KEYS);
  } catch {
    return null;
  }
}

/** A list that a comma follows is left out: the parser then takes it for text. */
const isRead = (search: string): boolean => parse(search) !== null && !/\]\s*,/.test(search);

describe('any search', () => {
  const piece = fc.constantFrom(
    ...['is:', 'a:b', 'timesSeen:', 'firstSeen:', 'tags[x]:', 'tags[x,number]:', 'release.version:'],
    ...[
      '!',
      '"',
      '\\',
      '[',
      ']',
      ',',
      ' ',
      '  ',
      ':',
      '(',
      ')',
      '\n',
      '\t',
      'OR',
      ' AND ',
      'x',
      '>',
      '<=',
      '=',
    ],
    ...[
      '-1d',
      '5k',
      '1',
      '/',
      '*',
      '\uF00DContains\uF00D',
      '😀',
      'has:"a b"',
      ' level:[a, b] ',
      'error.handled:1',
    ],
  );
  const search = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
  );

  test('means the same after it was taken apart and put together', () => {
    fc.assert(
      fc.property(search, (text) => {
        fc.pre(isRead(text));
        expect(meaningOf(searchOf(openDraft(text).parts))).toEqual(meaningOf(text));
      }),
      { numRuns: 3_000 },
    );
  });

  test('has the same parts when it is opened again', () => {
    fc.assert(
      fc.property(search, (text) => {
        const { parts } = openDraft(text);
        expect(openDraft(searchOf(parts)).parts).toEqual(parts);
      }),
    );
  });

  test('gives filters that the parser reads as one, at the same place', () => {
    fc.assert(
      fc.property(search, (text) => {
        fc.pre(isRead(text));
        const tokens = parse(text);
        const { parts, starts } = splitSearch(text);
        for (let at = 1; at < parts.length; at += 2) {
          const end = starts[at]! + parts[at]!.length;
          expect(tokens).toContainEqual(expect.objectContaining({ kind: 'filter', start: starts[at], end }));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test('of full length is taken apart in no time', () => {
    for (const part of ['a:b ', '"', 'a:"', 'a:[', 'a:[b,', '(', 'a:"\\"', '[a,', 'a:[b, c] ', 'tags[']) {
      const text = part.repeat(QUERY_CHARACTERS_MAX).slice(0, QUERY_CHARACTERS_MAX);
      withinMs(200, () => splitSearch(text));
    }
  });
});
