import { expect, test } from 'vitest';
import { ByteCache, LoadOnce } from './byte-cache.ts';

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

const scopeOf = (projectId: number) => ({ organizationId: 1, projectId });

test('what is on its way is not loaded again, also where there is room for nothing else', async () => {
  const loads = new LoadOnce({ loads: 2, loadsOfProject: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const load = () => {
    count++;
    return promise;
  };
  const run = (projectId: number, name: string) => loads.run(scopeOf(projectId), name, load);
  const first = [run(1, 'a'), run(1, 'b'), run(1, 'a')];
  expect(await run(1, 'c')).toBe(false);
  expect(await run(2, 'a')).toBe(false);
  resolve();
  expect(await Promise.all(first)).toEqual([true, true, true]);
  expect(count).toBe(2);
  expect(await run(1, 'c')).toBe(true);
});

test('a project leaves room for others', async () => {
  const loads = new LoadOnce({ loads: 4, loadsOfProject: 2 });
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = (projectId: number, name: string) => loads.run(scopeOf(projectId), name, () => promise);
  const first = [run(1, 'a'), run(1, 'b')];
  expect(await run(1, 'c')).toBe(false);
  const second = run(2, 'c');
  resolve();
  expect(await Promise.all([...first, second])).toEqual([true, true, true]);
  expect(await run(1, 'c')).toBe(true);
});

test('what failed makes room, and may be tried again', async () => {
  const loads = new LoadOnce({ loads: 1, loadsOfProject: 1 });
  const fail = () => Promise.reject(new Error('away'));
  await expect(loads.run(scopeOf(1), 'a', fail)).rejects.toThrow('away');
  expect(await loads.run(scopeOf(1), 'a', async () => {})).toBe(true);
});
