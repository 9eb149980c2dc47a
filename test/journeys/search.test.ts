import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOf } from '../harness/axe.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`the search in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let stream: string;

  beforeAll(async () => {
    const { errata, api, dsn, slug } = await makeProject('search');
    for (const [issue, customer] of ['acme', 'zeta'].entries()) {
      const event = {
        ...makeJavascriptError({ issue, bytes: 2_000 }),
        event_id: newEventId(),
        tags: { customer },
      };
      expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
      await findEvent(api, slug, event.event_id);
    }
    stream = `${errata.url}/main/issues?project=${slug}`;
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  const field = () => page.getByRole('combobox', { name: 'Search issues' });
  const rows = () => page.locator('section[aria-label="Issues"] li');

  test('suggests keys and values, and finds by a tag', async () => {
    await keepingScreenshot(page, 'search-suggests', async () => {
      await page.goto(stream);
      await expect.poll(() => rows().count()).toBe(2);
      await field().fill('cust');
      await page.getByRole('option', { name: /^customer/ }).click();
      await expect.poll(() => field().inputValue()).toBe('customer:');
      await page.getByRole('option', { name: 'zeta' }).waitFor();
      const found = await axeOf(page).include('search').analyze();
      expect(found.violations).toEqual([]);
      await field().press('ArrowDown');
      await field().press('ArrowDown');
      await field().press('Enter');
      await expect.poll(() => field().inputValue()).toBe('customer:zeta ');
      await field().press('Enter');
      await expect.poll(() => rows().count()).toBe(1);
      expect(new URL(page.url()).searchParams.get('query')).toBe('customer:zeta');
    });
  });

  test('shows the character where a search goes wrong', async () => {
    await keepingScreenshot(page, 'search-error', async () => {
      await page.goto(`${stream}&query=${encodeURIComponent('customer:acme is:open')}`);
      const alert = page.locator('#search-error');
      await alert.waitFor();
      expect(await alert.textContent()).toContain('"is:" does not support "open" at character 18');
      expect(await alert.locator('pre').textContent()).toBe(`${' '.repeat(17)}▲`);
    });
  });

  test('saves a search, chooses it again, deletes it and takes that back', async () => {
    await keepingScreenshot(page, 'search-saved', async () => {
      await page.goto(`${stream}&query=${encodeURIComponent('customer:acme')}`);
      await expect.poll(() => rows().count()).toBe(1);
      const menu = page.getByRole('button', { name: 'Saved searches' });
      await menu.click();
      await page.getByRole('menuitem', { name: 'Save this search…' }).click();
      await page.getByLabel('Name').fill('Acme only');
      await page.getByRole('button', { name: 'Everyone in the organization' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Saved search Acme only').waitFor();

      await page.goto(stream);
      await expect.poll(() => rows().count()).toBe(2);
      await menu.click();
      await page.getByRole('menuitem', { name: /^Acme only/ }).click();
      await expect.poll(() => rows().count()).toBe(1);
      await menu.click();
      await page.getByRole('menuitem', { name: /^Delete/ }).click();
      await page.getByText('Deleted saved search Acme only').waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Acme only restored').waitFor();
      await page.goto(stream);
      await menu.click();
      await page.getByRole('menuitem', { name: /^Acme only/ }).waitFor();
    });
  });
});
