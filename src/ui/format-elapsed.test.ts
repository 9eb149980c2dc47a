import { expect, test } from 'vitest';
import { formatElapsed } from './format-elapsed.ts';

test.each([
  [0, '0 µs'],
  [340, '340 µs'],
  [1_000, '1 ms'],
  [12_340, '12.3 ms'],
  [123_400, '123 ms'],
  [1_240_000, '1.24 s'],
  [150_000_000, '2.5 min'],
  [7_200_000_000, '2 h'],
  [-12_340, '-12.3 ms'],
])('%d microseconds are %s', (us, words) => {
  expect(formatElapsed(us)).toBe(words);
});
