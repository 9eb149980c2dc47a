import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { holdRequests, isPageData, watchRequests } from '../../harness/route-requests.ts';
import { openAsOwner, sharedErrata } from '../../harness/shared-errata.ts';

let browser: Browser;
let storageState: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;
beforeAll(async () => {
  if (findChromium() === null) return;
  browser = await launchChromium();
  storageState = await (await openAsOwner(browser)).context().storageState();
});
afterAll(async () => browser?.close());

/** Less than after which a browser would load the page as a document. */
const SHOWN_MS_MAX = 3_000;

/** Looks at the projects, goes to the statistics, and comes back after a while of the browser's clock. */
async function revisitAfter(seconds: number) {
  const context = await browser.newContext({ storageState, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${sharedErrata().url}/main/projects`);
  const projects = page.getByRole('heading', { name: 'Projects', level: 1 });
  const goTo = (name: string) => page.getByRole('link', { name }).first().dispatchEvent('click');
  await projects.waitFor();
  await goTo('Stats');
  await page.getByRole('heading', { name: 'Stats', level: 1 }).waitFor();

  await page.clock.fastForward(seconds * 1000);
  const requests = watchRequests(page);
  const network = await holdRequests(page, isPageData);
  await goTo('Projects');
  const isShownAtOnce = await projects.waitFor({ timeout: SHOWN_MS_MAX }).then(
    () => true,
    () => false,
  );
  await page.waitForTimeout(300);
  const asked = requests.pageData('/main/projects').length;
  await network.open();
  await projects.waitFor();
  const documents = requests.documents().length;
  await context.close();
  return { isShownAtOnce, asked, documents };
}

test.for([
  { seconds: 20, isShownAtOnce: true, asked: 0, what: 'fresh: shown as it is' },
  { seconds: 40, isShownAtOnce: true, asked: 1, what: 'reusable: shown at once, loaded anew behind' },
  { seconds: 297, isShownAtOnce: true, asked: 1, what: 'reusable to the end' },
  { seconds: 301, isShownAtOnce: false, asked: 1, what: 'too old: loaded before it is shown' },
])('a page after $seconds s is $what', async ({ seconds, isShownAtOnce, asked }, context) => {
  if (!browser) context.skip(NO_CHROMIUM);
  expect(await revisitAfter(seconds)).toEqual({ isShownAtOnce, asked, documents: 0 });
});
