import { expect, test } from 'vitest';
import { ByteCache } from './byte-cache.ts';

test('what was used last stays', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('b', 'B', 4);
  cache.get('a');
  cache.set('c', 'C', 4);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual(['A', undefined, 'C']);
  expect(cache.bytes).toBe(8);
});

test('what takes the place of something counts once, and what is too large is not kept', () => {
  const cache = new ByteCache<string>(10);
  cache.set('a', 'A', 4);
  cache.set('a', 'B', 6);
  expect(cache.bytes).toBe(6);
  cache.set('a', 'C', 11);
  expect([cache.get('a'), cache.bytes]).toEqual([undefined, 0]);
});
