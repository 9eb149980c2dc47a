import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { isPageData, watchRequests } from '../../harness/route-requests.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject, openAsOwner, sharedErrata } from '../../harness/shared-errata.ts';

let browser: Browser;
let storageState: Awaited<ReturnType<BrowserContext['storageState']>>;
let context: BrowserContext;
let page: Page;
let project: string;
let shortId: string;

beforeAll(async () => {
  if (findChromium() === null) return;
  browser = await launchChromium();
  storageState = await (await openAsOwner(browser)).context().storageState();
});
afterAll(async () => browser?.close());

beforeEach(async (test) => {
  if (!browser) test.skip(NO_CHROMIUM);
  const { api, slug, dsn } = await makeProject('changed');
  const event = makeJavascriptError({ issue: 1, bytes: 2_000 });
  await postEnvelope(parseDsn(dsn), eventEnvelope(event));
  const { groupID } = (await findEvent(api, slug, event.event_id)).event;
  project = slug;
  ({ shortId } = await api.get<{ shortId: string }>(`/api/0/organizations/main/issues/${groupID}/`));
  context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } });
  // What others change would load the list anew as well.
  await context.route('**/api/live/**', (route) => route.abort());
  page = await context.newPage();
});
afterEach(async () => context?.close());

const streamLink = () => page.getByRole('link', { name: 'Issues', exact: true }).first();
const streamRows = () => page.getByRole('checkbox', { name: /^Select [A-Z]/ });

/** Opens the issue's page, with the stream of the same filters loaded ahead by pointing at its link. */
async function openIssueWithStreamAhead(query: string) {
  await page.goto(`${sharedErrata().url}/main/issues/${shortId}${query}`);
  await page.waitForFunction(() => '__SENTRY__' in window, undefined, { timeout: 15_000 });
  const [loaded] = await Promise.all([
    page.waitForResponse(
      (response) => isPageData(response.request()) && new URL(response.url()).pathname === '/main/issues',
    ),
    streamLink().hover(),
  ]);
  await loaded.finished();
  await page.mouse.move(640, 899);
  await page.waitForTimeout(200);
}

async function openStream() {
  const requests = watchRequests(page);
  await streamLink().dispatchEvent('click');
  await page.waitForURL((address) => address.pathname === '/main/issues');
  await expect.poll(() => streamRows().count()).toBe(0);
  return requests.pageData('/main/issues').length;
}

test('a list that was loaded ahead is loaded anew after an issue was resolved, and the page stays as it was', async () => {
  await openIssueWithStreamAhead(`?project=${project}`);
  await page.evaluate(() => document.querySelector('main header')?.setAttribute('data-kept', 'yes'));
  const requests = watchRequests(page);
  await page.getByRole('button', { name: 'Resolve', exact: true }).click();
  await page.locator('main header').first().getByText('Resolved').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await page.waitForTimeout(1_000);
  expect(await page.locator('main header[data-kept]').count()).toBe(1);
  // Links that were left are not loaded ahead again when the cache is emptied.
  expect(requests.pageData('/main/issues')).toEqual([]);
  expect(await openStream()).toBeGreaterThan(0);
});

test('a list that was loaded ahead is loaded anew after an issue was deleted', async () => {
  await openIssueWithStreamAhead('');
  await page.getByRole('button', { name: 'More actions' }).click();
  await page
    .getByRole('menuitem', { name: /^Delete/ })
    .first()
    .click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.waitForURL((address) => address.pathname === '/main/issues');
  await page.getByText(`Deleted: ${shortId}`).waitFor();
  await expect.poll(() => page.getByText(shortId, { exact: true }).count()).toBe(0);
});
