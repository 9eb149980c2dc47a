import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unavailable } from '#lib/errors.ts';
import type { AbsentScript, ScriptReference, SymbolSources } from '#pipeline/symbolicate/symbol-sources.ts';
import { type LoadableFiles, WANTED_MAX, type WaitBudget, withSymbols } from './project-symbols.ts';

const SCOPE = { organizationId: 1, projectId: 2 };
const LOADED: AbsentScript = { kind: 'absent', reason: 'map_missing', file: 'a.js', mapUrl: null };

// Nothing here may wait for a timer, unless the test lets time pass.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const referenceOf = (name: number): ScriptReference => ({
  url: `https://shop.example.com/${name}.js`,
  debugId: null,
  release: '1.0',
  dist: null,
});

/** Files of which `load` decides what becomes of them: once it answers true they are known. */
function scene(load: (url: string) => Promise<boolean>) {
  const known = new Set<string>();
  const loaded: string[] = [];
  const files: LoadableFiles = {
    scripts: {
      find: (_scope, { url }) => (known.has(url) ? LOADED : 'unknown'),
      load: async (_scope, { url }) => {
        loaded.push(url);
        const isThere = await load(url);
        if (isThere) known.add(url);
        return isThere;
      },
      findSource: () => null,
      loadSource: async () => true,
    },
    mappings: { find: () => 'unknown', load: (_scope, debugId) => load(debugId) },
    native: { find: () => 'unknown', load: (_scope, debugId) => load(debugId) },
  };
  /** Why each of so many scripts has no map, in one envelope. */
  const ask = (count: number, budget: WaitBudget) =>
    withSymbols(files, SCOPE, budget, (sources: SymbolSources) =>
      Array.from({ length: count }, (_, name) => {
        const found = sources.findScript(referenceOf(name));
        return found === 'unknown' || found.kind === 'found' ? found : found.reason;
      }),
    );
  return { files, loaded, ask };
}

const never = () => new Promise<boolean>(() => {});
const all = (reason: string, count: number) => Array.from({ length: count }, () => reason);

test('what comes within the budget is waited for', async () => {
  const { ask, loaded } = scene(() => new Promise((resolve) => setTimeout(resolve, 1_000, true)));
  const budget = { leftMs: 8_000 };
  const asking = ask(16, budget);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await asking).toEqual(all('map_missing', 16));
  expect(loaded.length).toBe(16);
  expect(budget.leftMs).toBe(6_000);
});

test('a budget that is spent is no wait at all, and files are asked for all the same', async () => {
  for (const leftMs of [0, -5_000]) {
    const { ask, loaded } = scene(never);
    const budget = { leftMs };
    expect(await ask(10, budget)).toEqual(all('not_loaded_in_time', 10));
    expect(loaded.length).toBe(10);
    expect(budget.leftMs).toBe(leftMs);
  }
});

test('nothing is left of a budget whose timer fired a little early', async () => {
  const { ask } = scene(never);
  const budget = { leftMs: 50 };
  const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(49.6);
  const asking = ask(1, budget);
  await vi.advanceTimersByTimeAsync(50);
  expect(await asking).toEqual(all('not_loaded_in_time', 1));
  clock.mockRestore();
  expect(budget.leftMs).toBe(0);
});

test('what there is no room for is not waited for', async () => {
  const { ask } = scene(async (url) => !url.includes('/1'));
  const budget = { leftMs: 8_000 };
  expect(await ask(3, budget)).toEqual(['map_missing', 'not_loaded_in_time', 'map_missing']);
  expect(budget.leftMs).toBe(8_000);
});

test('a mapping that does not come in time is told too', async () => {
  const { files } = scene(never);
  const find = ({ findMapping }: SymbolSources) => findMapping('id');
  expect(await withSymbols(files, SCOPE, { leftMs: 0 }, find)).toEqual({
    reason: 'not_loaded_in_time',
    url: 'id',
  });
});

test('an envelope asks for so many files at most', async () => {
  const { ask, loaded } = scene(async () => true);
  expect(await ask(WANTED_MAX + 50, { leftMs: 8_000 })).toEqual([
    ...all('map_missing', WANTED_MAX),
    ...all('not_loaded_in_time', 50),
  ]);
  expect(loaded.length).toBe(WANTED_MAX);
});

test('once one fails, nothing more is asked for', async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  let first = true;
  const { ask, loaded } = scene(() => {
    if (!first) return promise;
    first = false;
    return Promise.reject(unavailable('away'));
  });
  await expect(ask(50, { leftMs: 8_000 })).rejects.toMatchObject({ code: 'unavailable' });
  const begun = loaded.length;
  expect(begun).toBeLessThan(50);
  resolve(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(loaded.length).toBe(begun);
});
