import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { holdRequests, isPageData, watchRequests } from '../../harness/route-requests.ts';
import { openAsOwner, sharedErrata } from '../../harness/shared-errata.ts';

const ROUTE_LOAD_TIMEOUT_MS = 3_800;

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
  context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } });
  page = await context.newPage();
});
afterEach(async () => context?.close());

const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
/** Without pointing at it first, which would load the page ahead. */
const goTo = (name: string) => page.getByRole('link', { name }).first().dispatchEvent('click');

/** Opens a document and waits for the reporter, which comes once the page answers to its reader. */
async function open(path: string, title: string) {
  await page.goto(`${url}${path}`);
  await heading(title).waitFor();
  await page.waitForFunction(() => '__SENTRY__' in window, undefined, { timeout: 15_000 });
}

describe('a server that is in trouble', () => {
  test('is asked no more after a refusal', async () => {
    await open('/main/projects', 'Projects');
    await page.route('**/main/stats**', (route) =>
      isPageData(route.request()) ? route.fulfill({ status: 404 }) : route.fallback(),
    );
    const requests = watchRequests(page);
    await goTo('Stats');
    await heading('Stats').waitFor();
    expect([requests.pageData('/main/stats').length, requests.documents().length]).toEqual([1, 1]);
  });

  test('that stays is reported by name, and the page is loaded as a document', async () => {
    await open('/main/projects', 'Projects');
    await page.route('**/main/stats**', (route) =>
      isPageData(route.request()) ? route.fulfill({ status: 503 }) : route.fallback(),
    );
    const [reported] = await Promise.all([
      page.waitForRequest((request) => (request.postData() ?? '').includes('RouteLoadError')),
      goTo('Stats'),
    ]);
    expect(reported.postData()).toContain('The page /main/stats could not be loaded');
    await heading('Stats').waitFor();
  });

  test('is waited for as long when a page was pointed at and is clicked', async () => {
    await open('/main/projects', 'Projects');
    const network = await holdRequests(page, isPageData);
    const link = page.getByRole('link', { name: 'Stats' }).first();
    await link.hover();
    await expect.poll(() => network.inFlight()).toBe(1);
    const requests = watchRequests(page);
    await link.click();
    const startedAt = Date.now();
    await Promise.all([
      page.waitForRequest((request) => request.isNavigationRequest()),
      // Once the document is asked for, the old page can no longer be asked what it shows.
      page.evaluate(() => {
        new MutationObserver(() => {
          const isTold = document.body.textContent.includes('This page is taking longer than usual');
          if (isTold) sessionStorage.setItem('told', 'yes');
        }).observe(document.body, { childList: true, subtree: true });
      }),
    ]);
    // The framework waits for what is loaded ahead, and asks no second time.
    expect(requests.pageData('/main/stats')).toEqual([]);
    expect(Date.now() - startedAt).toBeGreaterThan(ROUTE_LOAD_TIMEOUT_MS - 500);
    expect(Date.now() - startedAt).toBeLessThan(ROUTE_LOAD_TIMEOUT_MS + 1_500);
    await heading('Stats').waitFor();
    expect(new URL(page.url()).pathname).toBe('/main/stats');
    expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe('yes');
  });

  test('nothing is reported about a page that was left before it came', async () => {
    await open('/main/projects', 'Projects');
    const network = await holdRequests(
      page,
      (request) => isPageData(request) && request.url().includes('/main/stats'),
    );
    const requests = watchRequests(page);
    await goTo('Stats');
    await expect.poll(() => network.inFlight()).toBe(1);
    await goTo('Settings');
    await page.waitForURL('**/main/settings');
    await network.held[0]?.abort();
    await page.waitForTimeout(ROUTE_LOAD_TIMEOUT_MS + 500);
    expect(new URL(page.url()).pathname).toBe('/main/settings');
    expect([requests.reports(), requests.documents().length]).toEqual([[], 0]);
  });
});

describe('data that a page asks for by itself', () => {
  test('is asked for again after server errors, and not after a refusal', async () => {
    const slug = `data-${Date.now().toString(36)}`;
    await sharedErrata().project(slug);
    const askedAt: number[] = [];
    const answers = [500, 500, 500, 200, 404, 404];
    await page.route('**/first-event', (route) => {
      askedAt.push(Date.now());
      const status = answers.shift() ?? 200;
      return status === 200 ? route.continue() : route.fulfill({ status });
    });
    await page.goto(`${url}/main/projects/${slug}/getting-started`);
    await expect.poll(() => askedAt.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(6);
    const gaps = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
    // Three retries with growing pauses; after the refusal only the page's own rhythm of two seconds.
    expect(gaps[0]).toBeLessThan(1_000);
    expect(gaps[2]).toBeGreaterThan(gaps[0] ?? 0);
    expect(gaps[4]).toBeGreaterThan(1_000);
  });
});

describe('a script that is missing after an update', () => {
  /** A script of the statistics that the projects do not have. */
  async function findOwnScript(): Promise<string> {
    await open('/main/projects', 'Projects');
    const requests = watchRequests(page);
    await goTo('Stats');
    await heading('Stats').waitFor();
    await expect.poll(() => requests.scripts().length).toBeGreaterThan(0);
    return requests.scripts().at(-1) ?? '';
  }

  test('is an error with a name when it stays missing, and no loop', async () => {
    const script = await findOwnScript();
    await open('/main/projects', 'Projects');
    await page.route(script, (route) => route.fulfill({ status: 404 }));
    const requests = watchRequests(page);
    await goTo('Stats');
    await expect.poll(() => requests.reports().join('\n'), { timeout: 15_000 }).toContain('ScriptLoadError');
    expect(requests.documents().length).toBe(1);
  });
});
