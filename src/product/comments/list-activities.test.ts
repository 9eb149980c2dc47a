import { expect, test } from 'vitest';
import { findMentions, MENTIONS_MAX } from './list-activities.ts';

const MEMBERS = [
  { id: 'ana', name: 'Ana', email: 'ana@example.com' },
  { id: 'ana-lopez', name: 'Ana López', email: 'a.lopez@example.com' },
  { id: 'bo', name: 'Bo Li', email: 'bo@example.com' },
];
const TEAMS = [
  { id: 7, slug: 'web' },
  { id: 8, slug: 'web-platform' },
];

const named = (text: string) =>
  findMentions(text, MEMBERS, TEAMS).map(({ start, end, ...who }) => [text.slice(start, end), who]);

test.each([
  ['@Ana look', [['@Ana', { userId: 'ana' }]]],
  ['ask @ana lópez, please', [['@ana lópez', { userId: 'ana-lopez' }]]],
  ['(@bo@example.com)', [['@bo@example.com', { userId: 'bo' }]]],
  ['@bo.', [['@bo', { userId: 'bo' }]]],
  ['@a.lopez?', [['@a.lopez', { userId: 'ana-lopez' }]]],
  ['for #web-platform', [['#web-platform', { teamId: 8 }]]],
  [
    '#web and @Bo Li',
    [
      ['#web', { teamId: 7 }],
      ['@Bo Li', { userId: 'bo' }],
    ],
  ],
])('%s', (text, expected) => {
  expect(named(text)).toEqual(expected);
});

test.each(['mail ana@example.com', '@anabel', '@nobody', '#webs', 'C#web', '@', '# web', ''])(
  '"%s" names nobody',
  (text) => {
    expect(named(text)).toEqual([]);
  },
);

test('a text full of signs names a bounded number of people in little time', () => {
  expect(findMentions('@ana '.repeat(10_000), MEMBERS, TEAMS)).toHaveLength(MENTIONS_MAX);
  expect(findMentions('@'.repeat(100_000), MEMBERS, TEAMS)).toEqual([]);
});
