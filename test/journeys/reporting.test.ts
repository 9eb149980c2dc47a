import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { testInFull } from '../harness/is-full.ts';
import { openAsOwner, sharedErrata } from '../harness/shared-errata.ts';

const BUFFERED_EVENTS = 64;
const IN_FLIGHT_MAX = 15;
const KEEPALIVE_BYTES_MAX = 60_000;
const LINKED_ERRORS_MAX = 5;

type ExceptionEvent = { exception?: { values: { value: string }[] } };
type LogItem = { items: { body: string }[] };

let browser: Browser;
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
let context: BrowserContext;
let page: Page;
const { url } = sharedErrata();

beforeAll(async () => {
  if (findChromium() === null) return;
  browser = await launchChromium();
  storageState = await (await openAsOwner(browser)).context().storageState();
});
afterAll(async () => browser?.close());
beforeEach(async (test) => {
  if (!browser) test.skip(NO_CHROMIUM);
  context = await browser.newContext({ storageState });
  page = await context.newPage();
});
afterEach(async () => context?.close());

const untilReporterRuns = () =>
  page.waitForFunction(() => '__SENTRY__' in window, undefined, { timeout: 15_000 });

/** Takes what the reporter sends: answers it at once, or keeps it while `isHanging`. */
async function openSink(): Promise<{
  bodies: string[];
  held: Route[];
  hang(): void;
  release(): Promise<void>;
}> {
  const bodies: string[] = [];
  const held: Route[] = [];
  let isHanging = false;
  await page.route('**/monitoring**', async (route) => {
    bodies.push(route.request().postData() ?? '');
    if (isHanging) held.push(route);
    else await route.fulfill({ status: 200, body: '{}' });
  });
  return {
    bodies,
    held,
    hang: () => {
      isHanging = true;
    },
    async release() {
      while (held.length > 0) {
        await Promise.all(held.splice(0).map((route) => route.fulfill({ status: 200, body: '{}' })));
        await page.waitForTimeout(100);
      }
    },
  };
}

/** Payload of the item of a type in an envelope; null without one. */
function payloadOf<T>(envelope: string, type: string): T | null {
  const lines = envelope.split('\n');
  const at = lines.findIndex(
    (line) => line.startsWith('{') && (JSON.parse(line) as { type?: string }).type === type,
  );
  const payload = lines[at + 1];
  return at < 0 || payload === undefined ? null : (JSON.parse(payload) as T);
}

const messagesOf = (bodies: readonly string[]): string[] =>
  bodies.flatMap((body) => payloadOf<ExceptionEvent>(body, 'event')?.exception?.values.at(-1)?.value ?? []);

/** Throws errors outside any call, as a handler of the page would. */
const throwErrors = (messages: readonly string[]) =>
  page.evaluate((all) => {
    for (const message of all) {
      setTimeout(() => {
        throw new Error(message);
      });
    }
  }, messages);

const numbered = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name} ${index}`);

describe('the reporter', () => {
  test('comes after the page, and reports what went wrong before it came', async () => {
    const sink = await openSink();
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        setTimeout(() => {
          throw new Error('thrown before the reporter came');
        });
      });
    });
    await page.goto(`${url}/main/projects`, { waitUntil: 'commit' });
    const firstScripts = await page.request
      .get(`${url}/main/projects`)
      .then((answer) => answer.text())
      .then((html) => [...html.matchAll(/<script[^>]*src="([^"]+)"/g)].map(([, file]) => file ?? ''));
    for (const file of firstScripts) {
      const script = await (await page.request.get(new URL(file, url).href)).text();
      // A word that the SDK writes into every envelope.
      expect(script.includes('sentry.javascript')).toBe(false);
    }
    await untilReporterRuns();
    await expect.poll(() => messagesOf(sink.bodies)).toContain('thrown before the reporter came');
  });

  test('leaves noise out: both spellings of ResizeObserver, and scripts of others', async () => {
    const sink = await openSink();
    await page.goto(`${url}/main/projects`);
    await untilReporterRuns();
    await page.evaluate(() => {
      const noise = [
        'ResizeObserver loop limit exceeded',
        'ResizeObserver loop completed with undelivered notifications.',
        'Script error.',
        'Script error',
      ];
      for (const message of noise) window.dispatchEvent(new ErrorEvent('error', { message }));
      for (const message of noise) {
        setTimeout(() => {
          throw new Error(message);
        });
      }
    });
    await throwErrors(['a real one']);
    await expect.poll(() => messagesOf(sink.bodies)).toEqual(['a real one']);
    await page.waitForTimeout(500);
    expect(messagesOf(sink.bodies)).toEqual(['a real one']);
  });

  testInFull('keeps 64 events while the server hangs, and has 15 requests in flight', async () => {
    const sink = await openSink();
    await page.goto(`${url}/main/projects`);
    await untilReporterRuns();
    sink.hang();
    await throwErrors(numbered(80, 'hanging'));
    await expect.poll(() => sink.held.length).toBe(IN_FLIGHT_MAX);
    await page.waitForTimeout(500);
    expect(sink.held.length).toBe(IN_FLIGHT_MAX);
    await sink.release();
    await expect.poll(() => new Set(messagesOf(sink.bodies)).size).toBe(BUFFERED_EVENTS);
  });

  test('sends with keepalive up to 60,000 bytes', async () => {
    await page.addInitScript(() => {
      const send = window.fetch;
      const sent: { bytes: number; keepalive: boolean }[] = [];
      Object.assign(window, { sentReports: sent });
      window.fetch = (input, init) => {
        if (String(input).includes('/monitoring')) {
          sent.push({ bytes: String(init?.body).length, keepalive: init?.keepalive === true });
        }
        return send(input, init);
      };
    });
    await openSink();
    await page.goto(`${url}/main/projects`);
    await untilReporterRuns();
    const sent = () =>
      page.evaluate(
        () => (window as Window & { sentReports?: { bytes: number; keepalive: boolean }[] }).sentReports,
      );
    await throwErrors(['small']);
    await expect.poll(async () => (await sent())?.length).toBe(1);
    await throwErrors(['x'.repeat(70_000)]);
    await expect.poll(async () => (await sent())?.length).toBe(2);
    for (const { bytes, keepalive } of (await sent()) ?? [])
      expect(keepalive).toBe(bytes <= KEEPALIVE_BYTES_MAX);
  });

  test('follows five causes of an error', async () => {
    const sink = await openSink();
    await page.goto(`${url}/main/projects`);
    await untilReporterRuns();
    await page.evaluate(() => {
      let error = new Error('cause 0');
      for (let depth = 1; depth < 8; depth++) error = new Error(`cause ${depth}`, { cause: error });
      setTimeout(() => {
        throw error;
      });
    });
    await expect.poll(() => sink.bodies.length).toBeGreaterThan(0);
    const values = payloadOf<ExceptionEvent>(sink.bodies[0] ?? '', 'event')?.exception?.values ?? [];
    expect(values.map(({ value }) => value)).toEqual(numbered(8, 'cause').slice(-(1 + LINKED_ERRORS_MAX)));
  });

  testInFull('sends logs five seconds after the last one', async () => {
    const sink = await openSink();
    await page.goto(`${url}/main/projects`);
    await untilReporterRuns();
    const startedAt = Date.now();
    const arrived: { afterMs: number; bodies: string[] }[] = [];
    page.on('request', (request) => {
      const logs = payloadOf<LogItem>(request.postData() ?? '', 'log');
      if (logs) arrived.push({ afterMs: Date.now() - startedAt, bodies: logs.items.map(({ body }) => body) });
    });
    await page.evaluate(() => console.warn('first log'));
    await page.waitForTimeout(1_000);
    await page.evaluate(() => console.warn('second log'));
    await expect.poll(() => arrived.length, { timeout: 15_000 }).toBe(1);
    expect(arrived.map(({ bodies }) => bodies)).toEqual([['first log', 'second log']]);
    expect(arrived[0]?.afterMs).toBeGreaterThan(5_800);
    expect(sink.bodies.length).toBe(1);
  });
});

test('a page names its trace, and its requests carry it', async () => {
  await page.goto(`${url}/main/projects`);
  const tag = (name: string) => page.locator(`meta[name="${name}"]`).getAttribute('content');
  const [traceId] = ((await tag('sentry-trace')) ?? '').split('-');
  expect(traceId).toMatch(/^[0-9a-f]{32}$/);
  expect(await tag('baggage')).toContain(`sentry-trace_id=${traceId}`);

  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.headers().rsc === '1'),
    page.getByRole('link', { name: 'Stats' }).first().dispatchEvent('click'),
  ]);
  const headers = asked.headers();
  expect(headers['sentry-trace']).toMatch(new RegExp(`^${traceId}-[0-9a-f]{16}$`));
  expect(headers.traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
  expect(headers.baggage).toContain(`sentry-trace_id=${traceId}`);

  const sink = await openSink();
  await untilReporterRuns();
  await throwErrors(['of the same trace']);
  await expect.poll(() => sink.bodies.length).toBe(1);
  const event = payloadOf<{ contexts: { trace: { trace_id: string } } }>(sink.bodies[0] ?? '', 'event');
  expect(event?.contexts.trace.trace_id).toBe(traceId);
});
