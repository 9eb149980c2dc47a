import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askData, loadData, loadText, tellServer } from './load-data.ts';
import { DataLoadError, RouteCancelledError } from './navigation-errors.ts';

const send = vi.fn<typeof fetch>();
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', send.mockReset());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function settled<T>(work: Promise<T>): Promise<T> {
  work.catch(() => {});
  await vi.runAllTimersAsync();
  return work;
}

test('answers JSON after server errors', async () => {
  send
    .mockResolvedValueOnce(new Response(null, { status: 502 }))
    .mockResolvedValueOnce(Response.json({ count: 3 }));
  expect(await settled(loadData<{ count: number }>('/main/state'))).toEqual({ count: 3 });
});

test('a refusal is thrown with its status, without a second try', async () => {
  send.mockResolvedValue(new Response('no', { status: 404 }));
  await expect(settled(loadText('/main/state?a=1'))).rejects.toMatchObject({
    name: 'DataLoadError',
    status: 404,
    message: '/main/state could not be loaded: the server responded with 404',
  });
  expect(send).toHaveBeenCalledTimes(1);
});

test('a long question is asked as JSON, and a refusal carries what the server said', async () => {
  send
    .mockResolvedValueOnce(Response.json({ count: 3 }))
    .mockResolvedValueOnce(Response.json({ detail: 'Too many at once' }, { status: 409 }));
  expect(await askData('/main/preview', { rule: 1 })).toEqual({ count: 3 });
  expect(send.mock.lastCall?.[1]).toMatchObject({ method: 'POST', body: '{"rule":1}', redirect: 'error' });
  await expect(askData('/main/preview', {})).rejects.toMatchObject({
    status: 409,
    detail: 'Too many at once',
  });
});

test('no answer is told apart', async () => {
  send.mockRejectedValue(new TypeError('Failed to fetch'));
  await expect(settled(tellServer('/main/seen'))).rejects.toMatchObject({ status: null });
  await expect(settled(tellServer('/main/seen'))).rejects.toBeInstanceOf(DataLoadError);
});

test('whoever goes away gets a cancellation', async () => {
  const leave = new AbortController();
  send.mockImplementation(async () => {
    leave.abort();
    throw leave.signal.reason;
  });
  await expect(settled(loadData('/main/state', { signal: leave.signal }))).rejects.toBeInstanceOf(
    RouteCancelledError,
  );
});
