import { expect, test } from 'vitest';
import { limitConcurrency } from './limit-concurrency.ts';

function pendingCalls() {
  const finish: (() => void)[] = [];
  const call = () => new Promise<void>((resolve) => finish.push(resolve));
  return { call, finish };
}

test('never more than the limit are in flight, and every call runs in the end', async () => {
  const { call, finish } = pendingCalls();
  const limited = limitConcurrency(call, 15);
  const all = Array.from({ length: 40 }, () => limited());
  await Promise.resolve();
  expect(finish.length).toBe(15);

  for (let done = 0; done < 40; done++) {
    expect(finish.length - done).toBeLessThanOrEqual(15);
    finish[done]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
  expect(finish.length).toBe(40);
});

test('a call that fails makes room for the next one', async () => {
  let calls = 0;
  const limited = limitConcurrency(async () => {
    calls++;
    throw new Error('down');
  }, 1);
  const results = await Promise.allSettled([limited(), limited(), limited()]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(calls).toBe(3);
});
