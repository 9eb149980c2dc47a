import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { buildEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { holdRequests, watchRequests } from '../../harness/route-requests.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject, openAsOwner, sharedErrata } from '../../harness/shared-errata.ts';

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
/** Opens a document and waits for the reporter, which comes once the page answers to its reader. */
async function open(path: string, title: string) {
  await page.goto(`${url}${path}`);
  await heading(title).waitFor();
  await page.waitForFunction(() => '__SENTRY__' in window, undefined, { timeout: 15_000 });
}

describe('pages that are loaded ahead', () => {
  /** Points at all links of the page twice: the second time the framework would let twelve requests run. */
  const pointAtLinks = () =>
    page.evaluate(async () => {
      const links = [...document.querySelectorAll('a[href^="/"]')];
      for (const link of links) link.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 500));
      for (const link of links) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        link.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
      }
      return new Set(links.map((link) => link.getAttribute('href'))).size;
    });

  let slug: string;
  beforeAll(async () => {
    const project = await makeProject('links');
    slug = project.slug;
    const dsn = parseDsn(project.dsn);
    for (let issue = 0; issue < 60; issue++) {
      const event = makeJavascriptError({ issue: 9_200 + issue, bytes: 1_500 });
      const sent = buildEnvelope({ event_id: event.event_id }, [
        { type: 'event', payload: JSON.stringify(event) },
      ]);
      expect((await postEnvelope(dsn, sent)).status).toBe(200);
      if (issue === 59) await findEvent(project.api, slug, event.event_id, 10_000);
    }
  });

  test('are at most five at a time, over forty links and a slow server', async () => {
    await page.setViewportSize({ width: 1280, height: 5_000 });
    await open(`/main/explore/errors?project=${slug}`, 'Explore errors');
    const isAhead = (address: string) => new URL(address).pathname.startsWith('/main/');
    const network = await holdRequests(
      page,
      (request) => request.headers().rsc === '1' && isAhead(request.url()),
    );
    expect(await pointAtLinks()).toBeGreaterThanOrEqual(40);
    let most = 0;
    for (let quiet = 0; quiet < 20 && network.held.length < 30; ) {
      await page.waitForTimeout(50);
      most = Math.max(most, network.inFlight());
      quiet = network.inFlight() === 0 ? quiet + 1 : 0;
      await network.release(1);
    }
    expect(most).toBe(5);
    expect(network.held.length).toBeGreaterThanOrEqual(10);
  });

  // What else makes a connection too slow is tested without a browser.
  test.each([['saves data', { saveData: true, effectiveType: '4g' }]])(
    'are none when the reader %s',
    async (_, connection) => {
      await page.addInitScript((value) => {
        Object.defineProperty(navigator, 'connection', { value });
      }, connection);
      await open('/main/projects', 'Projects');
      const requests = watchRequests(page);
      await pointAtLinks();
      await page.waitForTimeout(500);
      expect(requests.routerRequests()).toEqual([]);
    },
  );
});
