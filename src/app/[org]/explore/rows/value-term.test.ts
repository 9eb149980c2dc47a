import { expect, test } from 'vitest';
import { valueTerm, withTerm } from './value-term.ts';

test.each([
  ['errors', 'release', 'web@1', 'release:web@1'],
  ['errors', 'user', 'email:ann@example.com', 'user.email:ann@example.com'],
  ['errors', 'user', '', null],
  ['errors', 'issue', 'WEB-3', 'issue:WEB-3'],
  ['errors', 'issue', '', null],
  ['errors', 'error.type', 'Inner, Outer', null],
  ['errors', 'timestamp', '2026-01-01', null],
  ['errors', 'message', 'x', 'tags[message]:x'],
  ['traces', 'user', '', '!has:user'],
  ['logs', 'message', 'disk is full', 'message:"disk is full"'],
  ['logs', 'is', 'x', 'tags[is]:x'],
  ['logs', 'a key', 'x', null],
] as const)('%s: %s %j is %s', (page, field, value, term) => {
  expect(valueTerm(page, field, value)).toBe(term);
});

test.each([
  ['', 'level:error', 'level:error'],
  ['a level:error', 'level:error', 'a level:error'],
  ['level:error OR level:fatal', 'level:error', '(level:error OR level:fatal) level:error'],
  ['level:error OR level:fatal', 'release:web@1', '(level:error OR level:fatal) release:web@1'],
])('%j with %s is %j', (query, term, narrowed) => {
  expect(withTerm(query, term)).toBe(narrowed);
});
