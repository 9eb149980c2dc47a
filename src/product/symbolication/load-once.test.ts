import { expect, test } from 'vitest';
import { LoadOnce } from './load-once.ts';

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
