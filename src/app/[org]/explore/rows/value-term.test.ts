import { expect, test } from 'vitest';
import { valueTerm } from './value-term.ts';

test.each([
  ['errors', 'release', 'web@1', 'release:web@1'],
  ['errors', 'user', 'email:ann@example.com', 'user.email:ann@example.com'],
  ['errors', 'user', '', null],
  ['errors', 'issue', 'WEB-3', 'issue:WEB-3'],
  ['errors', 'issue', '', null],
  ['errors', 'error.type', 'Inner, Outer', null],
  ['errors', 'timestamp', '2026-01-01', null],
  ['traces', 'user', '', '!has:user'],
] as const)('%s: %s %j is %s', (page, field, value, term) => {
  expect(valueTerm(page, field, value)).toBe(term);
});
