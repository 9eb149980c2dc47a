import { expect, test } from 'vitest';
import { withoutWords } from './without-words.ts';

test.each([
  [1, 1, 'The frame shows no source'],
  [2, 2, 'None of the 2 frames shows its source'],
  [1, 2, '1 of 2 frames shows no source'],
  [2, 3, '2 of 3 frames show no source'],
])('%i of %i', (without, frames, words) => {
  expect(withoutWords(without, frames)).toBe(words);
});
