import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PREFETCHES_IN_FLIGHT_MAX, ROUTE_LOAD_TIMEOUT_MS } from './limits.ts';
import { createRouteLoader, type RouteLoaderOptions } from './route-loader.ts';

const ORIGIN = 'https://errata.test';
const PAGE: RequestInit = { headers: { rsc: '1', 'next-router-state-tree': '[]' } };
const AHEAD: RequestInit = { ...PAGE, priority: 'low' };
const ACTION: RequestInit = { method: 'POST', headers: { 'next-action': '40aa' } };

const flight = (body = 'data') => new Response(body, { headers: { 'content-type': 'text/x-component' } });

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
    expect([loader.isSlow(), told.mock.calls.length]).toEqual([false, 2]);
  });

  test('a page that came in time, or that was left, is not loaded again', async () => {
    const { loader, loadDocument } = openLoader();
    loader.startNavigation(`${ORIGIN}/main`, 'push');
    await loader.fetch('/main', PAGE);
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

test('a page that is refreshed while it is shown is not waited for', async () => {
  const { loader, loadDocument } = openLoader({ send: never });
  loader.startNavigation(`${ORIGIN}/main`, 'push');
  loader.arrive(`${ORIGIN}/main`);
  void loader.fetch('/main', PAGE);
  loader.startNavigation(`${ORIGIN}/first`, 'push');
  void loader.fetch('/first', PAGE);
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
      'RouteLoadError: The page /main could not be loaded: the server answered 503',
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

  test('an action brings the data of the page it was sent from', async () => {
    const { loader } = openLoader();
    await vi.advanceTimersByTimeAsync(40_000);
    await loader.fetch('/first', ACTION);
    expect(loader.arrive(`${ORIGIN}/first`)).toBe(false);
  });

  test('what was loaded ahead counts, its outline does not', async () => {
    const { loader } = openLoader();
    await loader.fetch('/ahead', AHEAD);
    await loader.fetch('/outline', { headers: { rsc: '1', 'next-router-prefetch': '1' } });
    await vi.advanceTimersByTimeAsync(31_000);
    expect([loader.arrive('/ahead'), loader.arrive('/outline')]).toEqual([true, false]);
  });
});
