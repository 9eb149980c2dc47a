import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { holdRequests, isPageData, watchRequests } from '../harness/route-requests.ts';
import { sharedErrata } from '../harness/shared-errata.ts';
import { signIn } from '../harness/sign-in.ts';

const ROUTE_LOAD_TIMEOUT_MS = 3_800;

let browser: Browser;
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
let context: BrowserContext;
let page: Page;
const { url } = sharedErrata();

beforeAll(async () => {
  if (findChromium() === null) return;
  browser = await launchChromium();
  storageState = await (await signIn(browser, url)).context().storageState();
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

describe('a page that is opened from another', () => {
  test('asks for its data and for scripts that are missing, and for no document', async () => {
    await open('/main/projects', 'Projects');
    const scripts = new Set(
      await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map((entry) => entry.name)
          .filter((name) => name.endsWith('.js')),
      ),
    );
    const requests = watchRequests(page);
    await goTo('Stats');
    await heading('Stats').waitFor();
    expect(requests.pageData('/main/stats').length).toBe(1);
    expect(requests.documents()).toEqual([]);
    expect(requests.scripts().filter((script) => scripts.has(script))).toEqual([]);
  });

  test('is pushed to the history, and back and forward add nothing', async () => {
    await open('/main/projects', 'Projects');
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    await goTo('Stats');
    await heading('Stats').waitFor();
    expect(await entries()).toBe(before + 1);
    await page.goBack();
    await heading('Projects').waitFor();
    await page.goForward();
    await heading('Stats').waitFor();
    expect(await entries()).toBe(before + 1);
  });

  test('an action that redirects says push', async () => {
    const fresh = await browser.newContext();
    const login = await fresh.newPage();
    await login.goto(`${url}/login?next=/main/stats`, { waitUntil: 'networkidle' });
    const before = await login.evaluate(() => history.length);
    await login.getByLabel(/e-?mail/i).fill('owner@example.com');
    await login
      .getByLabel(/password/i)
      .first()
      .fill('correct horse battery staple');
    const [answered] = await Promise.all([
      login.waitForResponse((response) => response.request().method() === 'POST'),
      login.getByRole('button', { name: /^sign in$/i }).click(),
    ]);
    expect(answered.headers()['x-action-redirect']).toBe('/main/stats;push');
    await login.getByRole('heading', { name: 'Stats', level: 1 }).waitFor();
    expect(await login.evaluate(() => history.length)).toBe(before + 1);
    await fresh.close();
  });
});

describe('a server that is in trouble', () => {
  test('is asked up to three times more for a page', async () => {
    await open('/main/projects', 'Projects');
    let failures = 3;
    await page.route('**/main/stats**', (route) =>
      isPageData(route.request()) && failures-- > 0 ? route.fulfill({ status: 500 }) : route.fallback(),
    );
    const requests = watchRequests(page);
    await goTo('Stats');
    await heading('Stats').waitFor();
    expect([requests.pageData('/main/stats').length, requests.documents().length]).toEqual([4, 0]);
  });

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

  test.each([
    { what: 'is opened', isPointedAt: false },
    { what: 'was pointed at and is clicked', isPointedAt: true },
  ])(
    'is waited for 3.8 s when a page $what; then it is told and the document loaded',
    async ({ isPointedAt }) => {
      await open('/main/projects', 'Projects');
      const network = await holdRequests(page, isPageData);
      const link = page.getByRole('link', { name: 'Stats' }).first();
      if (isPointedAt) await link.hover();
      else await link.dispatchEvent('click');
      await expect.poll(() => network.inFlight()).toBe(1);
      const requests = watchRequests(page);
      if (isPointedAt) await link.click();
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
    },
  );

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

  test('brings one reload, which gets the new ones', async () => {
    const script = await findOwnScript();
    await open('/main/projects', 'Projects');
    let failures = 1;
    await page.route(script, (route) => (failures-- > 0 ? route.fulfill({ status: 404 }) : route.fallback()));
    const requests = watchRequests(page);
    await goTo('Stats');
    await heading('Stats').waitFor();
    expect(requests.documents().map((request) => new URL(request.url()).pathname)).toEqual(['/main/stats']);
    expect(await page.getByText('Application error').count()).toBe(0);
  });

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
