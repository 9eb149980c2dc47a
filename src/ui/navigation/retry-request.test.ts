import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { retryRequest } from './retry-request.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const answers = (...statuses: number[]) =>
  vi.fn(async () => new Response(null, { status: statuses.shift() ?? 599 }));

async function statusOf(asked: Promise<Response>): Promise<number> {
  await vi.runAllTimersAsync();
  return (await asked).status;
}

test('a server error is retried up to three times', async () => {
  const once = answers(500, 502, 503, 200);
  expect(await statusOf(retryRequest(once))).toBe(200);
  expect(once).toHaveBeenCalledTimes(4);
  const never = answers(500, 500, 500, 503, 200);
  expect(await statusOf(retryRequest(never))).toBe(503);
  expect(never).toHaveBeenCalledTimes(4);
});

test.each([200, 304, 400, 401, 404, 409, 429])('%i is an answer and is not retried', async (status) => {
  const send = answers(status);
  expect(await statusOf(retryRequest(send))).toBe(status);
  expect(send).toHaveBeenCalledTimes(1);
});

test('pauses grow', async () => {
  const sentAt: number[] = [];
  const asked = retryRequest(async () => {
    sentAt.push(Date.now());
    return new Response(null, { status: 500 });
  });
  await statusOf(asked);
  const [first = 0, second = 0, third = 0] = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  expect(first).toBeGreaterThanOrEqual(200);
  expect(second).toBeGreaterThan(first);
  expect(third).toBeGreaterThan(second);
});

test('what nobody waits for any more is not asked again', async () => {
  const send = answers(500, 200);
  expect(await statusOf(retryRequest(send, () => false))).toBe(500);
  expect(send).toHaveBeenCalledTimes(1);
});
