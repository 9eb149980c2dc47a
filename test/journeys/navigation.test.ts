import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { describeInFull, IS_FULL, testInFull } from '../harness/is-full.ts';
import { holdRequests, isPageData, isRouterRequest, watchRequests } from '../harness/route-requests.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject, openAsOwner, sharedErrata } from '../harness/shared-errata.ts';

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

describe('an answer that takes 1.8 s is awaited in sight within 100 ms of a click', () => {
  const ANSWER_MS = 1_800;
  const PENDING_PAGE = 'body:has([role="progressbar"]) main[aria-busy="true"]';
  let slug: string;

  beforeAll(async () => {
    if (!browser) return;
    const { dsn, api, ...project } = await makeProject('awaited');
    ({ slug } = project);
    const event = { ...makeJavascriptError({ issue: 1, bytes: 2_000 }), event_id: newEventId() };
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    await findEvent(api, slug, event.event_id);
  });

  /** Slows down what the page asks for from now on, clicks, and measures in the page until it shows what is pending. */
  async function pendingAfter(control: Locator, pending: string): Promise<number> {
    await page.route('**/*', async (route) => {
      const request = route.request();
      if (isRouterRequest(request) || request.headers()['next-action']) await pause(ANSWER_MS);
      await route.fallback();
    });
    return control.evaluate(
      (element, [selector, timeoutMs]) =>
        new Promise<number>((resolve, reject) => {
          setTimeout(() => reject(new Error('nothing is pending')), timeoutMs);
          const clickedAt = performance.now();
          new MutationObserver(() => {
            if (document.querySelector(selector)) resolve(performance.now() - clickedAt);
          }).observe(document, { subtree: true, childList: true, attributes: true });
          (element as HTMLElement).click();
        }),
      [pending, ANSWER_MS] as const,
    );
  }

  const link = (text: string, within = 'main') => page.locator(`${within} a`, { hasText: text }).first();

  const controls: readonly [name: string, start: () => Promise<void>, control: () => Locator][] = [
    ['a row', () => open(`/main/issues?project=${slug}`, 'Issues'), () => link('TypeError')],
    ['a link of the side bar', () => open('/main/projects', 'Projects'), () => link('Stats', 'aside')],
    ['a tab', () => open('/main/projects', 'Projects'), () => link('My teams')],
  ];
  test.each(IS_FULL ? controls : controls.slice(0, 1))('%s', async (_, start, control) => {
    await start();
    expect(await pendingAfter(control(), PENDING_PAGE)).toBeLessThan(100);
    const bar = page.getByRole('progressbar', { name: 'Loading page' });
    await expect.poll(() => bar.evaluate((each) => getComputedStyle(each).opacity)).toBe('1');
    // It ends with what was awaited.
    await bar.waitFor({ state: 'detached' });
    expect(await page.locator('main[aria-busy]').count()).toBe(0);
  });

  testInFull('the button of a form', async () => {
    await open('/main/settings', 'Main settings');
    const button = page.getByRole('button', { name: 'Save settings' });
    expect(await pendingAfter(button, 'button[type="submit"][aria-busy="true"]')).toBeLessThan(100);
    await page.getByText('Settings saved').waitFor();
    expect(await page.locator('button[aria-busy]').count()).toBe(0);
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

  testInFull(
    'is waited for 3.8 s when a page is opened; then it is told and the document loaded',
    async () => {
      await open('/main/projects', 'Projects');
      const network = await holdRequests(page, isPageData);
      await goTo('Stats');
      await expect.poll(() => network.inFlight()).toBe(1);
      const requests = watchRequests(page);
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
      expect(requests.pageData('/main/stats')).toEqual([]);
      expect(Date.now() - startedAt).toBeGreaterThan(ROUTE_LOAD_TIMEOUT_MS - 500);
      expect(Date.now() - startedAt).toBeLessThan(ROUTE_LOAD_TIMEOUT_MS + (IS_FULL ? 1_500 : 10_000));
      await heading('Stats').waitFor();
      expect(new URL(page.url()).pathname).toBe('/main/stats');
      expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe('yes');
    },
  );
});

describeInFull('a script that is missing after an update', () => {
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
});

test('a phone reaches every section: what its bar has no room for stands behind More', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open('/main/projects', 'Projects');
  const bar = page.getByRole('navigation', { name: 'Main' }).last();
  await bar.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
  const names = await page.getByRole('menuitem').allTextContents();
  expect(names).toEqual([
    'Feedback',
    'Replays',
    'Dashboards',
    'Performance',
    'Monitors',
    'Weekly summary',
    'Stats',
    'Settings',
  ]);
  await page.getByRole('menuitem', { name: 'Performance' }).click();
  await heading('Performance').waitFor();
  expect(await bar.getByRole('button', { name: 'More' }).getAttribute('aria-current')).toBe('true');
});
