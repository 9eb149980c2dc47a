import { expect, test } from 'vitest';
import { CATEGORIES } from '#protocol/outcome.ts';
import { LIMIT_KINDS } from './limit-kinds.ts';

test('every category belongs to one kind, so that nothing is accepted that nobody can limit', () => {
  const limited = LIMIT_KINDS.flatMap(({ categories }) => categories);
  expect(limited.toSorted()).toEqual(CATEGORIES.filter((category) => category !== 'unknown').toSorted());
});
