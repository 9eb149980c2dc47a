import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isErrataError } from '#lib/errors.ts';
import type { Actor } from '#product/context.ts';
import type { IssueFilter } from '#storage/ports/issues.ts';
import { parseIssueQuery, QUERY_CHARACTERS_MAX, QUERY_KEYS, QUERY_TERMS_MAX } from './parse-issue-query.ts';

const ANA: Actor = { kind: 'user', userId: 'ana', name: 'Ana', role: 'member', isInstanceOwner: false };
const EMPTY: IssueFilter = {
  statuses: [],
  substatuses: [],
  levels: [],
  assignees: [],
  text: [],
  releases: [],
  types: [],
  negated: { levels: [], statuses: [], substatuses: [], assignees: [], text: [] },
  seen: null,
};
const negated = (part: Partial<IssueFilter['negated']>) => ({ negated: { ...EMPTY.negated, ...part } });
const parse = (text: string) => parseIssueQuery(text, ANA);

describe('what a query asks for', () => {
  test.each<[string, Partial<IssueFilter>]>([
    ['', {}],
    ['   \t\n ', {}],
    ['is:unresolved', { statuses: ['unresolved'] }],
    ['is:resolved', { statuses: ['resolved'] }],
    ['is:archived', { statuses: ['archived'] }],
    ['is:ignored', { statuses: ['archived'] }],
    ['is:new', { substatuses: ['new'] }],
    ['is:ongoing', { substatuses: ['ongoing'] }],
    ['is:escalating', { substatuses: ['escalating'] }],
    ['is:regressed', { substatuses: ['regressed'] }],
    ['is:for_review', { substatuses: ['new', 'escalating', 'regressed'] }],
    ['is:unassigned', { assignees: ['none'] }],
    ['is:assigned', negated({ assignees: ['none'] })],
    ['IS:Unresolved', { statuses: ['unresolved'] }],
    ['is:unresolved is:new', { statuses: ['unresolved'], substatuses: ['new'] }],
    ['is:[resolved, archived]', { statuses: ['resolved', 'archived'] }],
    ['level:error level:fatal level:error', { levels: ['error', 'fatal'] }],
    ['level:[error,fatal]', { levels: ['error', 'fatal'] }],
    ['assigned:me', { assignees: ['ana'] }],
    ['assigned:none', { assignees: ['none'] }],
    ['assigned:Bob@Example.com', { assignees: ['bob@example.com'] }],
    ['assigned:[me, none]', { assignees: ['ana', 'none'] }],
    ['release:web@2.1.0+7', { releases: ['web@2.1.0+7'] }],
    ['release:"web 2.1"', { releases: ['web 2.1'] }],
    ['type:TypeError', { types: ['TypeError'] }],
    ['error.type:TypeError', { types: ['TypeError'] }],
    ['cannot read', { text: ['cannot', 'read'] }],
    ['"cannot read"', { text: ['cannot read'] }],
    ['"say \\"hi\\" \\\\ \\n"', { text: ['say "hi" \\ \\n'] }],
    ['!is:resolved', negated({ statuses: ['resolved'] })],
    ['!is:regressed', negated({ substatuses: ['regressed'] })],
    ['!is:assigned', { assignees: ['none'] }],
    ['!is:unassigned', negated({ assignees: ['none'] })],
    ['!level:info', negated({ levels: ['info'] })],
    ['!assigned:me', negated({ assignees: ['ana'] })],
    ['!timeout !"gave up"', negated({ text: ['timeout', 'gave up'] })],
    ['!', { text: ['!'] }],
    ['wow ! x', { text: ['wow', '!', 'x'] }],
  ])('%j', (text, expected) => {
    expect(parse(text)).toEqual({ ...EMPTY, ...expected });
  });

  test.each([
    'https://example.com/a?b=c',
    'Foo::bar',
    'C:\\Users\\ana',
    'TypeError: x',
    '12:30:05',
    'std::vector<int>:',
    'a/b:c',
  ])('what people paste is text: %j', (text) => {
    expect(parse(text)).toEqual({ ...EMPTY, text: text.split(' ') });
  });
});

describe('what a query may not say', () => {
  test.each<[string, RegExp]>([
    [
      'colour:red',
      /Unknown search key "colour:" at character 1\. Known keys: is, level, assigned, release, type/,
    ],
    ['boom !colour:red', /"colour:" at character 6/],
    ['is:unresolved is:open', /"is:" does not know "open" at character 18\. Possible: unresolved, resolved/],
    ['is:constructor', /does not know "constructor"/],
    ['level:bad', /"level:" does not know "bad" at character 7\. Possible: fatal, error/],
    ['level:[error, bad]', /"bad" at character 15/],
    ['assigned:bob', /"assigned:" does not know "bob" at character 10/],
    ['level:', /"level:" at character 1 needs a value, for example level:error/],
    ['level: error', /"level:" at character 1 needs a value/],
    ['level:[]', /needs a value/],
    ['release:""', /needs a value/],
    ['x "never closed', /quote at character 3 is not closed/],
    ['level:[error', /list at character 7 is not closed/],
    ['x ""', /quotes at character 3 are empty/],
    ['!release:1.0', /"!release:" at character 1 is not possible/],
    ['x !type:Y', /"!type:" at character 3 is not possible/],
  ])('%j', (text, message) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ code: 'invalid', field: 'query', message: expect.stringMatching(message) }),
    );
  });

  test('"me" needs somebody', () => {
    expect(() => parseIssueQuery('x assigned:me', { kind: 'system' })).toThrow(/character 12 needs somebody/);
  });

  test('length and number of terms are bounded', () => {
    expect(() => parse('a'.repeat(QUERY_CHARACTERS_MAX))).not.toThrow();
    expect(() => parse('a'.repeat(QUERY_CHARACTERS_MAX + 1))).toThrow(/more than 1000 characters/);
    expect(() => parse('a '.repeat(QUERY_TERMS_MAX))).not.toThrow();
    expect(() => parse('a '.repeat(QUERY_TERMS_MAX + 1))).toThrow(/more than 50 terms, from character 101/);
  });
});

test('any text is either understood or refused as invalid', () => {
  const fragment = fc.constantFrom(
    ...QUERY_KEYS.map((key) => `${key}:`),
    ...[
      '!',
      '"',
      '\\',
      '[',
      ']',
      ',',
      ' ',
      ':',
      'unresolved',
      'error',
      'me',
      'none',
      'a@b.c',
      'word',
      'é',
      '😀',
    ],
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(fragment).map((parts) => parts.join('')),
      ),
      (text) => {
        try {
          expect(parse(text).seen).toBeNull();
        } catch (error) {
          expect(isErrataError(error) && error.code).toBe('invalid');
        }
      },
    ),
  );
});

test('a quoted phrase is found as it was written, whatever it holds', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 100 }).filter((phrase) => phrase.trim() !== ''),
      (phrase) => {
        const quoted = `"${phrase.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
        expect(parse(quoted)).toEqual({ ...EMPTY, text: [phrase] });
      },
    ),
  );
});
