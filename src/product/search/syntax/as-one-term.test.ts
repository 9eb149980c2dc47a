import { expect, test } from 'vitest';
import { asOneTerm } from './as-one-term.ts';

test.each([
  ['level:error', 'level:error'],
  [' level:error  ', 'level:error'],
  ['', ''],
  ['level:error OR level:fatal', '(level:error OR level:fatal)'],
  ['level:error or level:fatal', '(level:error or level:fatal)'],
  ['(level:error OR level:fatal) crash', '(level:error OR level:fatal) crash'],
  ['(a (b OR c)) OR d', '((a (b OR c)) OR d)'],
  ['message:"this OR that"', 'message:"this OR that"'],
  ['message:"a \\" OR b" x', 'message:"a \\" OR b" x'],
  ['ORDER order:OR', 'ORDER order:OR'],
])('%j is %j', (search, term) => {
  expect(asOneTerm(search)).toBe(term);
});
