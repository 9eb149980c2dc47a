import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { makeSampleProfile, type SampleProfile } from '../../harness/sample-profile.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`a profile in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let sample: SampleProfile;

  beforeAll(async () => {
    const { errata, api, ...project } = await makeProject('profiled');
    ({ url } = errata);
    ({ slug } = project);
    sample = makeSampleProfile();
    for (const envelope of sample.envelopes) {
      expect((await postEnvelope(parseDsn(project.dsn), envelope)).status).toBe(200);
    }
    await until('all profiles are stored', async () => {
      const { body } = await api.request('GET', `/api/0/projects/main/${slug}/profiles/`);
      return Array.isArray(body) && body.length === 3;
    });
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  const walk = (name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `profile-${name}`, steps);
  const call = () => page.getByRole('status', { name: 'Call' });
  const view = (name: string) =>
    page.getByRole('group', { name: 'View' }).getByRole('button', { name }).click();
  const address = () => `${url}/main/profiles/${slug}/${sample.profileId}`;

  test('is found in Explore, and its calls are walked and zoomed with the keyboard', async () => {
    await walk('flames', async () => {
      await page.goto(`${url}/main/explore/profiles?project=${slug}&query=checkout`);
      await page.getByRole('link', { name: 'POST /checkout' }).click();
      await page.waitForURL(address());
      const chart = page.getByRole('application', { name: 'Flame chart in time order' });
      await chart.focus();
      await page.keyboard.press('ArrowDown');
      await call().getByText('processTicksAndRejections').waitFor();
      await page.keyboard.press('ArrowDown');
      await call().getByText('handleCheckout').waitFor();
      await page.keyboard.press('ArrowDown');
      await call().getByText('applyDiscounts').waitFor();
      await call().getByText('src/pricing.ts:77').waitFor();
      await call().getByText('110 ms (45.8%)').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Reset zoom' }).waitFor({ state: 'detached' });
      await page.keyboard.press('ArrowLeft');
      await call().getByText('loadCart').waitFor();
    });
  });

  test('is zoomed by a click, and searched', async () => {
    await walk('search', async () => {
      await page.goto(`${address()}?view=left-heavy`);
      await hydrated(page);
      const canvas = page.getByRole('application', { name: 'Flame graph, left heavy' }).locator('canvas');
      await canvas.hover({ position: { x: 20, y: 30 } });
      await call().getByText('handleCheckout').waitFor();
      await canvas.click({ position: { x: 20, y: 50 } });
      await call().getByText('applyDiscounts').waitFor();
      await page.getByRole('button', { name: 'Reset zoom' }).waitFor();
      await page.getByRole('searchbox', { name: 'Search functions' }).fill('pricing');
      await page.getByText('2 functions, 110 ms (45.8%)').waitFor();
    });
  });

  test('says the same as tables, without libraries if that is wanted', async () => {
    await walk('tables', async () => {
      await page.goto(address());
      await view('Top functions');
      await page.waitForURL('**?view=functions');
      const rows = page.getByRole('group', { name: 'Top functions' }).getByRole('row');
      await expect.poll(() => rows.nth(1).textContent()).toContain('matchRule50 ms (20.8%)');
      await view('Call tree');
      const tree = page.getByRole('tree', { name: 'Call tree' });
      await tree.getByRole('treeitem', { name: /query/ }).waitFor();
      await page.getByRole('checkbox', { name: 'Hide library frames' }).check();
      await expect.poll(() => tree.getByRole('treeitem').first().textContent()).toContain('handleCheckout');
      expect(await tree.getByRole('treeitem', { name: /query/ }).count()).toBe(0);
      await page.getByRole('combobox', { name: 'Thread' }).click();
      await page.getByRole('option', { name: /worker/ }).hover();
      await page.getByRole('option', { name: /worker/ }).click();
      await page.waitForURL('**thread=1');
      await page.getByText('Only library frames ran').or(tree.getByText('(idle)')).first().waitFor();
    });
  });

  test('is one click from its trace: by its transaction, and by its profiler', async () => {
    await walk('trace', async () => {
      await page.goto(`${url}/main/traces/${sample.traceId}?span=${sample.rootId}`);
      const details = page.getByRole('region', { name: 'Span', exact: true });
      await details.getByRole('link', { name: 'Profile' }).click();
      await page.waitForURL(address());
      await page.goBack();
      const profiles = page.getByRole('region', { name: /^Profiles/ });
      await profiles.getByRole('link', { name: 'GET /cart' }).click();
      await page.waitForURL(`**/profiles/${slug}/continuous/${sample.profilerId}?**thread=0`);
      await page.getByRole('application', { name: 'Flame chart in time order' }).waitFor();
    });
  });

  test('is merged with the others of its transaction, and their functions are compared', async () => {
    await walk('merged', async () => {
      await page.goto(`${url}/main/explore/profiles?project=${slug}&query=checkout`);
      await page.getByRole('link', { name: 'Merged flame graph' }).click();
      await page.waitForURL(`**/profiles/${slug}/merged?transaction=**`);
      await page.getByText('1 profile', { exact: true }).waitFor();
      await page.getByRole('application', { name: 'Flame graph, left heavy' }).waitFor();
      expect(await page.getByRole('button', { name: 'Time order' }).count()).toBe(0);
      await view('Top functions');
      const rows = page.getByRole('group', { name: 'Top functions' }).getByRole('row');
      await expect.poll(() => rows.nth(1).textContent()).toContain('matchRule50 ms (20.8%)');
      await page.getByRole('link', { name: 'Compare functions' }).click();
      await page.waitForURL('**/compare?**');
      await page.getByText('Nothing to compare').waitFor();
      await page.goto(
        `${url}/main/profiles/${slug}/compare?transaction=POST+%2Fcheckout&before=shop@1.0.0&after=shop@1.0.0`,
      );
      await page.getByText('Too few profiles to compare').waitFor();
      await page.getByRole('group', { name: 'Functions compared' }).getByText('matchRule').waitFor();
    });
  });

  test('is downloaded for speedscope', async () => {
    await page.goto(address());
    const started = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download for speedscope' }).click();
    expect((await started).suggestedFilename()).toBe(`${sample.profileId}.speedscope.json`);
  });
});
