import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WaitingLine } from './waiting-line.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Calls that last until they are told to end, in the order in which they began. */
function scene() {
  const line = new WaitingLine({ atOnce: 2, waitingMax: 3, waitMsMax: 1_000 });
  const running: { name: string; end: (error?: Error) => void }[] = [];
  const begun: string[] = [];
  const run = (name: string) =>
    line.run(() => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      running.push({ name, end: (error) => (error ? reject(error) : resolve(name)) });
      begun.push(name);
      return promise;
    });
  const end = async (error?: Error) => {
    running.shift()?.end(error);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { run, end, begun };
}

test('a few run at once, the others in order; whoever finds the line full is sent away', async () => {
  const { run, end, begun } = scene();
  const runs = ['a', 'b', 'c', 'd', 'e', 'f'].map(run);
  expect(await runs[5]).toBe('no-turn');
  expect(begun).toEqual(['a', 'b']);
  for (let index = 0; index < 5; index++) {
    await end();
    expect(begun.length).toBe(Math.min(5, index + 3));
  }
  expect(await Promise.all(runs.slice(0, 5))).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('whose turn does not come in time goes, and leaves room for another one', async () => {
  const { run, end, begun } = scene();
  const runs = ['a', 'b', 'c', 'd', 'e'].map(run);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(runs.slice(2))).toEqual(['no-turn', 'no-turn', 'no-turn']);
  const late = run('g');
  await end();
  expect(begun).toEqual(['a', 'b', 'g']);
  await end();
  await end();
  expect(await late).toBe('g');
});

test('one that fails gives its turn to the next', async () => {
  const { run, end, begun } = scene();
  const runs = ['a', 'b', 'c'].map(run);
  const failed = expect(runs[0]).rejects.toThrow('down');
  await end(new Error('down'));
  await failed;
  expect(begun).toEqual(['a', 'b', 'c']);
  await end();
  await end();
  expect(await Promise.all(runs.slice(1))).toEqual(['b', 'c']);
});
