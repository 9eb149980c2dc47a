import { expect, test } from 'vitest';
import { filterText } from './filter-text.ts';
import { readFilterWord } from './split-search.ts';

test.each([
  ['level:error', 'level|is|error'],
  ['!level:error', 'level|is not|error'],
  ['is:unresolved', '|is|unresolved'],
  ['!is:assigned', '|is not|assigned'],
  ['has:user.email', '|has|user.email'],
  ['!has:user.email', '|does not have|user.email'],
  ['level:[error, fatal]', 'level|is one of|error, fatal'],
  ['!level:[error, fatal]', 'level|is none of|error, fatal'],
  ['timesSeen:>=1.5k', 'timesSeen|≥|1.5k'],
  ['plan:">5 \\"a\\" \\*"', 'plan|is|>5 "a" *'],
  ['plan:""', 'plan|is|(empty)'],
  ['message:coupon', 'message|contains|coupon'],
  ['a:\u202Egpj', 'a|is|[U+202E]gpj'],
  ['!url:\uF00DStartsWith\uF00D/a', 'url|does not start with|/a'],
])('%s', (word, expected) => {
  const filter = readFilterWord(word);
  const { key, verb, value } = filterText(filter!);
  expect([key, verb, value].join('|')).toBe(expected);
});
