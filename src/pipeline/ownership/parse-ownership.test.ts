import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCodeowners } from './parse-codeowners.ts';
import { OWNERSHIP_RULES_MAX, parseOwnershipRules } from './parse-ownership-rules.ts';

const email = (address: string) => ({ kind: 'email', email: address });
const team = (slug: string) => ({ kind: 'team', slug });

test.each([
  ['path:src/checkout/* ana@example.com', 'path', 'src/checkout/*', [email('ana@example.com')]],
  ['src/cart.ts Ana@Example.com #Web', 'path', 'src/cart.ts', [email('ana@example.com'), team('web')]],
  ['  url:https://shop.example/* #web', 'url', 'https://shop.example/*', [team('web')]],
  ['module:com.acme.*\t#jvm', 'module', 'com.acme.*', [team('jvm')]],
  ['tags.environment:staging #qa', 'tags.environment', 'staging', [team('qa')]],
  ['tags.my tag:x #qa', 'tags.my tag', 'x', [team('qa')]],
  ['path:"src/my file*" #web', 'path', 'src/my file*', [team('web')]],
  ['path:"a \\"b\\"" #web', 'path', 'a "b"', [team('web')]],
  ['codeowners:/docs/ #docs', 'codeowners', '/docs/', [team('docs')]],
  ['app:///static/* #web', 'path', 'app:///static/*', [team('web')]],
  ['C:\\app\\* #web', 'path', 'C:\\app\\*', [team('web')]],
  ['path:vendor/*', 'path', 'vendor/*', []],
])('%s', (text, type, pattern, owners) => {
  expect(parseOwnershipRules(text)).toEqual({
    rules: [{ source: 'rules', line: 1, text: text.trim(), type, pattern, owners }],
    problems: [],
  });
});

test.each([
  ['file:src/* #web', 1, /"file:" is not supported/],
  ['path: #web', 6, /pattern is missing/],
  ['path:"src #web', 6, /Unclosed/],
  ['path:"" #web', 6, /empty/],
  ['src/* ana', 7, /"ana" is not an email address/],
  ['src/* #web ana@', 12, /"ana@" is not an email address/],
  ['src/* #', 7, /not an email address or a team/],
  ['tags.:x #web', 1, /Specify the tag/],
  ['path:src/{a #web', 6, /is invalid/],
])('%s says what is wrong at character %i', (text, column, message) => {
  const { rules, problems } = parseOwnershipRules(`# first\n\n${text}\nsrc/* #web`);
  expect(rules).toHaveLength(1);
  expect(problems).toEqual([{ line: 3, column, message: expect.stringMatching(message) }]);
});

test('a CODEOWNERS file: comments, sections, escapes, every kind of owner, and rules without one', () => {
  const text = [
    '# owners',
    '* @octocat',
    '/src/ @acme/Web ana@example.com # and a comment',
    'docs/my\\ file.md @@acme/group/docs',
    '[Section][2] @nobody',
    '^[Optional]',
    '/vendor/',
  ].join('\r\n');
  const { rules, problems } = parseCodeowners(text);
  expect(problems).toEqual([]);
  expect(rules.map(({ line, pattern, owners }) => [line, pattern, owners])).toEqual([
    [2, '*', [{ kind: 'handle', handle: 'octocat' }]],
    [3, '/src/', [team('web'), email('ana@example.com')]],
    [4, 'docs/my file.md', [team('docs')]],
    [7, '/vendor/', []],
  ]);
});

test.each([
  ['/src/ octocat', 7, /"octocat" is not a valid owner/],
  ['/src/ @', 7, /not a valid owner/],
  ['/src/ @acme/', 7, /not a valid owner/],
  ['!/src/ @octocat', 1, /do not support "!"/],
])('a CODEOWNERS file with %s', (text, column, message) => {
  expect(parseCodeowners(text)).toEqual({
    rules: [],
    problems: [{ line: 1, column, message: expect.stringMatching(message) }],
  });
});

test('any text is read, each line ends as a rule, a problem or nothing', () => {
  const line = fc.oneof(
    fc.string(),
    fc.stringMatching(/^(path|url|tags\.x|codeowners)?:?["*{\\/a# @.[]{0,12} ?#?@?[a.]*$/),
  );
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const text = lines.join('\n');
      for (const { rules, problems } of [parseOwnershipRules(text), parseCodeowners(text)]) {
        const numbers = [...rules, ...problems].map((each) => each.line);
        expect(new Set(numbers).size).toBe(numbers.length);
        for (const each of problems) expect(each.column).toBeGreaterThan(0);
      }
    }),
  );
});

test('no more rules are kept than can be matched', () => {
  const { rules, problems } = parseOwnershipRules('a #b\n'.repeat(OWNERSHIP_RULES_MAX + 5));
  expect(rules).toHaveLength(OWNERSHIP_RULES_MAX);
  expect(problems).toEqual([expect.objectContaining({ line: OWNERSHIP_RULES_MAX + 1 })]);
});

test('a pattern that would cost as much as hundreds is refused', () => {
  const classes = `[!${Array.from({ length: 400 }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')}]`;
  const { rules, problems } = parseOwnershipRules(`path:*${classes}{a,b,c,d}{e,f,g,h}* #web`);
  expect(rules).toEqual([]);
  expect(problems).toMatchObject([{ line: 1, message: expect.stringContaining('too many alternatives') }]);
});

test('what is tried at one place of a path only may be long, what is tried at every place may not', () => {
  const long = `${'folder/'.repeat(30)}file-?.[jt]s`;
  expect(parseOwnershipRules(`path:${long}* #web\npath:*${long} #web`).problems).toEqual([]);
  expect(parseOwnershipRules(`path:*${long}* #web`).problems).toMatchObject([{ line: 1 }]);
});
