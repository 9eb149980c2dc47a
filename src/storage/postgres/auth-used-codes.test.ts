import { expect, test } from 'vitest';
import { createUsedCodes } from './auth-used-codes.ts';

test('a code opens once while it could still be right, for each user by itself', () => {
  let now = 1_000_000;
  const codes = createUsedCodes(() => now);
  expect([codes.take('ana', '123456'), codes.take('ana', '123456')]).toEqual([true, false]);
  expect(codes.take('bo', '123456')).toBe(true);
  now += 89_999;
  expect(codes.take('ana', '123456')).toBe(false);
  now += 1;
  expect(codes.take('ana', '123456')).toBe(true);
});

test('the number of remembered codes is bounded, oldest first', () => {
  const codes = createUsedCodes(() => 0);
  for (let index = 0; index < 10_000; index++) expect(codes.take(`user ${index}`, '123456')).toBe(true);
  expect(codes.take('one too many', '123456')).toBe(true);
  expect(codes.take('user 9999', '123456')).toBe(false);
  expect(codes.take('user 0', '123456')).toBe(true);
});
