import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isErrataError } from '#lib/errors.ts';
import { withinMs } from '#lib/fixtures/within-ms.ts';
import { parseSearch, QUERY_CHARACTERS_MAX, QUERY_DEPTH_MAX, QUERY_TOKENS_MAX } from './parse-search.ts';
import { EVENT_KEYS, ISSUE_KEYS } from './search-keys.ts';
import type { SearchToken } from './search-tokens.ts';

/** A token in short: what it is, and its parts. */
function brief(token: SearchToken): unknown {
  switch (token.kind) {
    case 'text':
      return token.isQuoted ? { quoted: token.text } : token.text;
    case 'operator':
      return { operator: token.operator };
    case 'group':
      return token.tokens.map(brief);
    case 'filter': {
      const { kind, start, end, ...value } = token.value;
      return `${token.isNegated ? '!' : ''}${token.form} ${token.key.kind}=${token.key.name} ${token.operator}${JSON.stringify(value)}`;
    }
  }
}
const parse = (query: string, keys = ISSUE_KEYS) => parseSearch(query, keys).map(brief);

describe('terms', () => {
  test.each<[string, readonly unknown[]]>([
    ['', []],
    ['   ', []],
    ['cannot read', ['cannot read']],
    ['"cannot read" x', [{ quoted: 'cannot read' }, 'x']],
    ['a OR b and c', ['a ', { operator: 'OR' }, 'b ', { operator: 'AND' }, 'c']],
    ['ORacle ANDy', ['ORacle ANDy']],
    ['(a (b OR c))', [['a ', ['b ', { operator: 'OR' }, 'c']]]],
    ['apply(cart) now', ['apply(cart) now']],
    ['call() x', ['call() x']],
    ['a\nb', ['a b']],
    ['"a\nb"', [{ quoted: 'a\nb' }]],
  ])('%j', (query, expected) => {
    expect(parse(query)).toEqual(expected);
  });
});

describe('filters', () => {
  test.each([
    ['level:error', 'text simple=level {"text":"error","isQuoted":false}'],
    ['!level:"a b"', '!text simple=level {"text":"a b","isQuoted":true}'],
    ['is:new', 'is simple=is {"text":"new","isQuoted":false}'],
    ['has:"a:b"', 'has simple=has {"text":"a:b","isQuoted":true}'],
    ['"a:b":c', 'text simple=a:b {"text":"c","isQuoted":false}'],
    ['tags[a:b]:c', 'text tag=a:b {"text":"c","isQuoted":false}'],
    ['tags[n,number]:>=1.5k', 'numeric tag=n >={"amount":"1.5","unit":"k"}'],
    ['timesSeen:>=1.5k', 'numeric simple=timesSeen >={"amount":"1.5","unit":"k"}'],
    ['age:-24h', 'relativeDate simple=age {"sign":"-","amount":"24","unit":"h"}'],
    [
      'firstSeen:>2026-01-31T10:00:00.5+02:00',
      'date simple=firstSeen >{"text":"2026-01-31T10:00:00.5+02:00"}',
    ],
    ['firstSeen:2026-01-31', 'specificDate simple=firstSeen {"text":"2026-01-31"}'],
    ['error.handled:TRUE', 'boolean simple=error.handled {"text":"TRUE"}'],
    ['transaction.duration:>500ms', 'duration simple=transaction.duration >{"amount":"500","unit":"ms"}'],
    ['release.version:>=1.2', 'text simple=release.version >={"text":"1.2","isQuoted":false}'],
    ['release:>1', 'text simple=release {"text":">1","isQuoted":false}'],
    ['x:\uF00DContains\uF00Dy', 'text simple=x contains{"text":"y","isQuoted":false}'],
    ['p95(a.b, 5):>10%', 'text simple=never'],
  ])('%s', (query, expected) => {
    const [token] = parse(query);
    if (query.startsWith('p95')) expect(token).toBe('p95(a.b, 5):>10%');
    else expect(token).toBe(expected);
  });

  test('functions of events', () => {
    expect(parse('p95(transaction.duration):>5s count():>=10', EVENT_KEYS)).toEqual([
      'aggregateDuration aggregate=p95 >{"amount":"5","unit":"s"}',
      'aggregateNumeric aggregate=count >={"amount":"10","unit":""}',
    ]);
  });

  test.each([
    ['level:', /needs a value/],
    ['age:yesterday', /needs a time/],
    ['!age:-1h', /cannot be negated/],
    ['timesSeen:many', /needs a number/],
    ['error.handled:maybe', /needs true or false/],
    ['release:a"b', /quote within its value/],
    ['release:[a, ]', /list with an empty value/],
  ])('%s is read with its problem', (query, problem) => {
    const [token] = parseSearch(query, ISSUE_KEYS);
    expect(token?.kind === 'filter' && token.problem).toMatch(problem);
  });
});

test('length, terms and depth are bounded', () => {
  const refusal = (query: string) => {
    try {
      parseSearch(query, ISSUE_KEYS);
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  };
  expect(refusal('a'.repeat(QUERY_CHARACTERS_MAX))).toBeNull();
  expect(refusal('a'.repeat(QUERY_CHARACTERS_MAX + 1))).toMatch(/longer than 4096 characters/);
  expect(refusal('a:b '.repeat(QUERY_TOKENS_MAX))).toBeNull();
  expect(refusal('a:b '.repeat(QUERY_TOKENS_MAX + 1))).toMatch(/more than 100 terms, from character 401/);
  const nested = (depth: number) => `${'(a:b '.repeat(depth)}a:b${')'.repeat(depth)}`;
  expect(refusal(nested(QUERY_DEPTH_MAX))).toBeNull();
  expect(refusal(nested(QUERY_DEPTH_MAX + 1))).toMatch(/more than 10 levels deep/);
});

test('any text is read or refused as invalid, and tokens lie in order within it', () => {
  const piece = fc.constantFrom(
    'is:',
    'a:',
    '!',
    '"',
    '\\',
    '[',
    ']',
    ',',
    ' ',
    ':',
    '(',
    ')',
    'OR',
    'x',
    '>',
    '-1d',
    '😀',
  );
  const query = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 60 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(query, (text) => {
      try {
        let end = 0;
        for (const token of parseSearch(text, EVENT_KEYS)) {
          expect(token.start).toBeGreaterThanOrEqual(end);
          expect(token.end).toBeGreaterThan(token.start);
          end = token.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      } catch (error) {
        if (!isErrataError(error)) throw error;
        expect(error.code).toBe('invalid');
      }
    }),
  );
});

test('hostile texts of full length are read in no time', () => {
  for (const part of ['(', 'a(', '"', 'a:"', 'a:[', '[a,', '!', 'tags[', 'a(b,', 'x ', '1.', 'OR ']) {
    const text = part.repeat(QUERY_CHARACTERS_MAX).slice(0, QUERY_CHARACTERS_MAX);
    withinMs(1_000, () => {
      try {
        parseSearch(text, EVENT_KEYS);
      } catch (error) {
        expect(isErrataError(error)).toBe(true);
      }
    });
  }
});
