import { expect, test } from 'vitest';
import { BoundedCache } from './bounded-cache.ts';

test('what was used least recently goes first, and the bound holds', () => {
  const computed: string[] = [];
  const cache = new BoundedCache<string>(2);
  const get = (key: string) =>
    cache.getOrCompute(key, (missing) => {
      computed.push(missing);
      return missing.toUpperCase();
    });
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(get)).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
  expect(computed).toEqual(['a', 'b', 'c', 'b']);
  expect(cache.size).toBe(2);
});
