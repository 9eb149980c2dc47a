import { expect, test } from 'vitest';
import { KnownKeys } from './known-keys.ts';

test('a key is known with its value until as many others followed as the bound allows', () => {
  const known = new KnownKeys<number>(3);
  for (const [index, key] of ['a', 'b', 'c'].entries()) known.set(key, index);
  expect(known.get('a')).toBe(0);
  known.set('d', 3);
  expect(known.has('a')).toBe(false);
  expect(['b', 'c', 'd'].map((key) => known.get(key))).toEqual([1, 2, 3]);
  known.clear();
  expect(known.has('d')).toBe(false);
});
