import { expect, test } from 'vitest';
import { errorPosition } from './error-position.ts';

test('the character that a message names, or none', () => {
  expect(errorPosition('The quote at character 12 is not closed')).toBe(12);
  expect(errorPosition('The search has more than 1000 characters: shorten it')).toBeNull();
});
