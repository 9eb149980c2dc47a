import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PREFETCHES_IN_FLIGHT_MAX, ROUTE_LOAD_TIMEOUT_MS } from './limits.ts';
import { createRouteLoader, type RouteLoaderOptions } from './route-loader.ts';

const ORIGIN = 'https://errata.test';
const PAGE: RequestInit = { headers: { rsc: '1', 'next-router-state-tree': '[]' } };
const AHEAD: RequestInit = { ...PAGE, priority: 'low' };
const ACTION: RequestInit = { method: 'POST', headers: { 'next-action': '40aa' } };

const flight = (body = 'data', headers: Record<string, string> = {}) =>
  new Response(body, { headers: { 'content-type': 'text/x-component', ...headers } });
const redirectedTo = (url: string) =>
  Object.defineProperties(flight(), { redirected: { value: true }, url: { value: `${url}?_rsc=abc` } });

function openLoader(options: Partial<RouteLoaderOptions> = {}) {
  const spies = {
    send: vi.fn(async (..._: Parameters<typeof fetch>) => flight()),
    loadDocument: vi.fn(),
    report: vi.fn(),
  };
  const loader = createRouteLoader({
    now: Date.now,
    currentHref: () => `${ORIGIN}/first`,
    isLeaving: () => false,
    ...spies,
    ...options,
  });
  return { loader, ...spies };
}

const never = () => new Promise<Response>(() => {});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('what the eye is told of a navigation', () => {
  test('from its start until the page is shown and its last byte has come', async () => {
    let finish = () => {};
    const body = new ReadableStream({
      start(controller) {
        finish = () => controller.close();
      },
    });
    const { loader } = openLoader({ send: async () => new Response(body, flight()) });
    const heard: boolean[] = [];
    loader.subscribe(() => heard.push(loader.isLoading()));
    loader.startNavigation(`${ORIGIN}/main`, 'push');
    expect(heard).toEqual([true]);
    await loader.fetch('/main', PAGE);
    loader.arrive(`${ORIGIN}/main`);
    expect(loader.isLoading()).toBe(true);
    finish();
    await vi.advanceTimersByTimeAsync(1);
    expect(heard).toEqual([true, true, false]);
  });

  test('nothing for a page that is loaded ahead, and nothing for the page that is shown', async () => {
    const { loader } = openLoader({ send: never });
    void loader.fetch('/main', AHEAD);
    loader.startNavigation(`${ORIGIN}/first`, 'push');
    expect(loader.isLoading()).toBe(false);
  });
});

describe('the limit of a route load', () => {
  test('a page of which nothing has come is loaded as a document', async () => {
    const { loader, loadDocument } = openLoader({ send: never });
    loader.startNavigation(`${ORIGIN}/main`, 'push');
    void loader.fetch('/main', PAGE);
    await vi.advanceTimersByTimeAsync(ROUTE_LOAD_TIMEOUT_MS - 1);
    expect([loader.isSlow(), loadDocument.mock.calls.length]).toEqual([false, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(loader.isSlow()).toBe(true);
    expect(loadDocument).toHaveBeenCalledWith(`${ORIGIN}/main`, 'push');
  });

  test('a page that has begun to come is only called slow, until its end', async () => {
    let finish = () => {};
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('begun'));
        finish = () => controller.close();
      },
    });
    const { loader, loadDocument } = openLoader({
      send: async () => new Response(body, { headers: { 'content-type': 'text/x-component' } }),
    });
    const told = vi.fn();
    loader.subscribe(told);
    loader.startNavigation(`${ORIGIN}/main`, 'push');
    await loader.fetch('/main', PAGE);
    await vi.advanceTimersByTimeAsync(ROUTE_LOAD_TIMEOUT_MS);
    expect([loader.isSlow(), loadDocument.mock.calls.length]).toEqual([true, 0]);
    finish();
    await vi.advanceTimersByTimeAsync(1);
    expect([loader.isSlow(), told.mock.calls.length]).toEqual([false, 3]);
  });

  test('a page that came in time, or that was left, is not loaded again', async () => {
    const { loader, loadDocument } = openLoader();
    loader.startNavigation(`${ORIGIN}/main`, 'push');
    await loader.fetch('/main', PAGE);
    loader.arrive(`${ORIGIN}/main`);
    await vi.advanceTimersByTimeAsync(2 * ROUTE_LOAD_TIMEOUT_MS);
    const left = openLoader({ send: (input) => (input === '/slow' ? never() : Promise.resolve(flight())) });
    left.loader.startNavigation(`${ORIGIN}/slow`, 'push');
    void left.loader.fetch('/slow', PAGE);
    left.loader.startNavigation(`${ORIGIN}/main`, 'push');
    await left.loader.fetch('/main', PAGE);
    await vi.advanceTimersByTimeAsync(2 * ROUTE_LOAD_TIMEOUT_MS);
    expect([loadDocument.mock.calls, left.loadDocument.mock.calls]).toEqual([[], []]);
  });
});

describe('a page that is waited for while it is loaded ahead', () => {
  test.each([
    ['is asked for', 1],
    ['stands in line', PREFETCHES_IN_FLIGHT_MAX + 1],
  ])('and %s is loaded as a document after the limit', async (_, count) => {
    const { loader, loadDocument } = openLoader({ send: never });
    for (let page = 1; page <= count; page++) void loader.fetch(`${ORIGIN}/ahead/${page}?_rsc=abc`, AHEAD);
    const href = `${ORIGIN}/ahead/${count}`;
    loader.startNavigation(href, 'push');
    await vi.advanceTimersByTimeAsync(ROUTE_LOAD_TIMEOUT_MS - 1);
    expect([loader.isSlow(), loadDocument.mock.calls.length]).toEqual([false, 0]);
    await vi.advanceTimersByTimeAsync(1);
    expect(loader.isSlow()).toBe(true);
    expect(loadDocument.mock.calls).toEqual([[href, 'push']]);
  });

  test('and has begun to come is only called slow, until it is shown', async () => {
    const { loader, loadDocument } = openLoader({
      send: async () => new Response(new ReadableStream(), flight()),
    });
    await loader.fetch('/ahead', AHEAD);
    loader.startNavigation(`${ORIGIN}/ahead`, 'push');
    await vi.advanceTimersByTimeAsync(ROUTE_LOAD_TIMEOUT_MS);
    expect([loader.isSlow(), loadDocument.mock.calls]).toEqual([true, []]);
    loader.arrive(`${ORIGIN}/ahead`);
    expect(loader.isSlow()).toBe(false);
  });

  test('is retried after server errors, as long as it is wanted', async () => {
    const send = vi.fn<typeof fetch>(async () => new Response(null, { status: 502 }));
    send.mockResolvedValueOnce(new Response(null, { status: 502 })).mockResolvedValueOnce(flight());
    const { loader } = openLoader({ send });
    const asked = loader.fetch('/ahead', AHEAD);
    await vi.runAllTimersAsync();
    expect([(await asked).status, send.mock.calls.length]).toEqual([200, 2]);
    const aborted = loader.fetch('/other', { ...AHEAD, signal: AbortSignal.abort() });
    await vi.runAllTimersAsync();
    expect([(await aborted).status, send.mock.calls.length]).toEqual([502, 3]);
  });
});

describe('a page that redirects to the one that is shown', () => {
  const send = async () => redirectedTo(`${ORIGIN}/first`);

  test('ends the navigation with its last byte', async () => {
    const { loader, loadDocument } = openLoader({ send });
    loader.startNavigation(`${ORIGIN}/old`, 'push');
    const asked = loader.fetch('/old', PAGE);
    expect(loader.destination()).toBe(`${ORIGIN}/old`);
    await asked;
    await vi.advanceTimersByTimeAsync(2 * ROUTE_LOAD_TIMEOUT_MS);
    expect([loader.destination(), loader.isSlow(), loadDocument.mock.calls]).toEqual([null, false, []]);
  });

  test('is not waited for when that is known from loading it ahead', async () => {
    const { loader, loadDocument } = openLoader({ send });
    await loader.fetch('/old', { headers: { rsc: '1', 'next-router-prefetch': '1' } });
    loader.startNavigation(`${ORIGIN}/old`, 'push');
    await vi.advanceTimersByTimeAsync(2 * ROUTE_LOAD_TIMEOUT_MS);
    expect([loader.destination(), loader.isSlow(), loadDocument.mock.calls]).toEqual([null, false, []]);
  });
});

test('a page that is refreshed while it is shown is not waited for', async () => {
  const { loader, loadDocument } = openLoader({ send: never });
  loader.startNavigation(`${ORIGIN}/main`, 'push');
  loader.arrive(`${ORIGIN}/main`);
  void loader.fetch('/main', PAGE);
  loader.startNavigation(`${ORIGIN}/main#place`, 'traverse');
  void loader.fetch('/main', PAGE);
  await vi.advanceTimersByTimeAsync(2 * ROUTE_LOAD_TIMEOUT_MS);
  expect([loader.isSlow(), loader.destination(), loadDocument.mock.calls]).toEqual([false, null, []]);
});

describe('failures', () => {
  test('a server error that stays is reported once, and the framework gets the answer', async () => {
    const { loader, report } = openLoader({ send: async () => new Response(null, { status: 503 }) });
    const asked = loader.fetch('/main?q=1', PAGE);
    await vi.runAllTimersAsync();
    expect((await asked).status).toBe(503);
    expect(report.mock.calls.map(([error]) => `${error.name}: ${error.message}`)).toEqual([
      'RouteLoadError: The page /main could not be loaded: the server responded with 503',
    ]);
  });

  test('a page that was left for another is cancelled, and not reported', async () => {
    let fail = (_: Error) => {};
    const { loader, report } = openLoader({
      send: () =>
        new Promise<Response>((_, reject) => {
          fail = reject;
        }),
    });
    loader.startNavigation(`${ORIGIN}/main`, 'push');
    const asked = loader.fetch('/main', PAGE);
    loader.startNavigation(`${ORIGIN}/other`, 'push');
    fail(new TypeError('Failed to fetch'));
    await expect(asked).rejects.toMatchObject({ name: 'RouteCancelledError' });
    expect(report).not.toHaveBeenCalled();
  });

  test('without a network the page fails by name', async () => {
    const { loader, report } = openLoader({ send: () => Promise.reject(new TypeError('Failed to fetch')) });
    await expect(loader.fetch('/main', PAGE)).rejects.toMatchObject({ name: 'RouteLoadError' });
    expect(report).toHaveBeenCalledTimes(1);
  });
});

test('five pages are loaded ahead at a time, to their last byte', async () => {
  let running = 0;
  let most = 0;
  const bodies: ReadableStreamDefaultController[] = [];
  const { loader } = openLoader({
    send: async () => {
      most = Math.max(most, ++running);
      const body = new ReadableStream({ start: (controller) => void bodies.push(controller) });
      return new Response(body, { headers: { 'content-type': 'text/x-component' } });
    },
  });
  const all = Promise.all(Array.from({ length: 40 }, (_, index) => loader.fetch(`/page/${index}`, AHEAD)));
  for (let closed = 0; closed < 40; closed++) {
    await vi.advanceTimersByTimeAsync(1);
    expect(bodies.length).toBe(Math.min(40, closed + PREFETCHES_IN_FLIGHT_MAX));
    bodies[closed]?.close();
    running -= 1;
  }
  await all;
  expect(most).toBe(PREFETCHES_IN_FLIGHT_MAX);
});

describe('age', () => {
  test('a page is old after 30 seconds, unless it is being loaded', async () => {
    const { loader } = openLoader();
    loader.startNavigation(`${ORIGIN}/main`, 'push');
    await loader.fetch(`${ORIGIN}/main?_rsc=abc`, PAGE);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(loader.arrive(`${ORIGIN}/main`)).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(loader.arrive(`${ORIGIN}/main`)).toBe(true);
    expect(loader.arrive(`${ORIGIN}/unknown`)).toBe(false);
    expect(loader.arrive(`${ORIGIN}/first`)).toBe(true);
  });

  test('an action that changed something brings the data of the page it was sent from', async () => {
    let href = `${ORIGIN}/first`;
    const { loader } = openLoader({
      currentHref: () => href,
      send: async () => {
        href = `${ORIGIN}/second`;
        return flight('data', { 'x-action-revalidated': '1' });
      },
    });
    await loader.fetch(`${ORIGIN}/second`, AHEAD);
    href = `${ORIGIN}/first`;
    await vi.advanceTimersByTimeAsync(40_000);
    await loader.fetch('/first', ACTION);
    expect([loader.arrive(`${ORIGIN}/first`), loader.arrive(`${ORIGIN}/second`)]).toEqual([false, true]);
  });

  test.each([
    ['changed nothing', {}],
    ['leads to another page', { 'x-action-revalidated': '1', 'x-action-redirect': '/main;push' }],
  ])('an action that %s leaves its page as old as it was', async (_, headers) => {
    const { loader } = openLoader({ send: async () => flight('data', headers) });
    await vi.advanceTimersByTimeAsync(40_000);
    await loader.fetch('/first', ACTION);
    expect(loader.arrive(`${ORIGIN}/first`)).toBe(true);
  });

  test('what was loaded ahead counts, its outline does not', async () => {
    const { loader } = openLoader();
    await loader.fetch('/ahead', AHEAD);
    await loader.fetch('/outline', { headers: { rsc: '1', 'next-router-prefetch': '1' } });
    await vi.advanceTimersByTimeAsync(31_000);
    expect([loader.arrive('/ahead'), loader.arrive('/outline')]).toEqual([true, false]);
  });
});
