import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { invalid, unavailable } from '#lib/errors.ts';
import { type AssembleAnswer, answerOf, answerOfFailure, runAssemble } from './assemble-runs.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(600_000);
  vi.useRealTimers();
});

const ok = answerOf('ok');
const taking =
  (ms: number, answer: AssembleAnswer = ok) =>
  () =>
    new Promise<AssembleAnswer>((resolve) => setTimeout(() => resolve(answer), ms));
const soon = async (answer: Promise<AssembleAnswer>) => {
  await vi.advanceTimersByTimeAsync(20_000);
  return (await answer).state;
};

test('those who ask for the same at the same time share one run, later ones begin anew', async () => {
  const work = vi.fn(taking(1_000));
  const answers = [runAssemble('same', work), runAssemble('same', work), runAssemble('other', work)];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(answers)).toEqual([ok, ok, ok]);
  expect(work).toHaveBeenCalledTimes(2);
  expect(await soon(runAssemble('same', work))).toBe('ok');
  expect(work).toHaveBeenCalledTimes(3);
});

test('what takes long is told to whoever asks again, once', async () => {
  const work = vi.fn(taking(50_000, answerOf('error', [], 'No archive')));
  expect(await soon(runAssemble('long', work))).toBe('assembling');
  expect(await soon(runAssemble('long', work))).toBe('assembling');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await runAssemble('long', work)).toMatchObject({ state: 'error', detail: 'No archive' });
  expect(work).toHaveBeenCalledTimes(1);
  expect(await soon(runAssemble('long', work))).toBe('assembling');
  expect(work).toHaveBeenCalledTimes(2);
});

test('two run at once, some wait, and the others are asked to come again', async () => {
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    running -= 1;
    return ok;
  };
  const answers = Array.from({ length: 25 }, (_, index) => runAssemble(`many ${index}`, work));
  await vi.advanceTimersByTimeAsync(20_000);
  const states = (await Promise.all(answers)).map(({ state }) => state);
  expect(states.filter((state) => state === 'ok')).toHaveLength(18);
  expect(states.slice(18)).toEqual(Array(7).fill('assembling'));
  expect(most).toBe(2);
});

test('a failure is thrown to all who wait, and tried again by the next; a late one waits for its asker', async () => {
  const failing = vi.fn(async () => Promise.reject(unavailable('The disk is full')));
  const first = await Promise.allSettled([runAssemble('fails', failing), runAssemble('fails', failing)]);
  expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(failing).toHaveBeenCalledTimes(1);
  await expect(runAssemble('fails', failing)).rejects.toThrow('The disk is full');
  expect(failing).toHaveBeenCalledTimes(2);
  const late = () =>
    new Promise<AssembleAnswer>((_, reject) => setTimeout(() => reject(unavailable('Late')), 30_000));
  expect(await soon(runAssemble('late', late))).toBe('assembling');
  await vi.advanceTimersByTimeAsync(20_000);
  await expect(runAssemble('late', late)).rejects.toThrow('Late');
});

test('what is wrong with an upload is an answer, everything else is thrown', () => {
  expect(answerOfFailure(invalid('No archive'))).toEqual(answerOf('error', [], 'No archive'));
  expect(() => answerOfFailure(unavailable('The disk is full'))).toThrow('The disk is full');
  expect(() => answerOfFailure(new TypeError('x'))).toThrow(TypeError);
});
