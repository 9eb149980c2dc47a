import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOf } from '../harness/axe.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { hydrated } from '../harness/hydrated.ts';
import { testInFull } from '../harness/is-full.ts';
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

  const chip = (label: string) => page.getByRole('button', { name: `Edit filter ${label}`, exact: true });
  const option = (name: string | RegExp) => page.getByRole('option', { name });
  const queryOf = () => new URL(page.url()).searchParams.get('query');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));

  async function open(query?: string): Promise<void> {
    await page.goto(query === undefined ? stream : `${stream}&query=${encodeURIComponent(query)}`);
    await hydrated(page);
  }

  test('suggests keys and values with their events, and finds by a tag', async () => {
    await keepingScreenshot(page, 'search-suggests', async () => {
      await open();
      await expect.poll(() => rows().count()).toBe(2);
      await chip('is unresolved').waitFor();
      await field().fill('cust');
      await option(/^customer/).click();
      await expect.poll(() => field().inputValue()).toBe('customer:');
      await option('zeta 1 event').waitFor();
      const found = await axeOf(page).include('search').analyze();
      expect(found.violations).toEqual([]);
      await field().press('ArrowDown');
      await field().press('ArrowDown');
      await field().press('Enter');
      await chip('customer is zeta').waitFor();
      expect(await field().inputValue()).toBe('');
      await field().press('Enter');
      await expect.poll(() => rows().count()).toBe(1);
      expect(queryOf()).toBe('is:unresolved customer:zeta');
    });
  });

  testInFull('an empty box offers keys and what was searched for, until that is cleared', async () => {
    await keepingScreenshot(page, 'search-empty', async () => {
      await open('customer:acme');
      await field().focus();
      await option('customer:acme').waitFor({ state: 'detached' });
      await option(/^level/).waitFor();
      await field().pressSequentially('level:error');
      await field().press('Enter');
      await expect.poll(queryOf).toBe('customer:acme level:error');
      await open();
      await field().focus();
      await option('customer:acme level:error').click();
      await expect.poll(queryOf).toBe('customer:acme level:error');
      await expect.poll(() => rows().count()).toBe(1);
      await open();
      await field().focus();
      await option('Clear recent searches').click();
      await option('customer:acme level:error').waitFor({ state: 'detached' });
      await option(/^level/).waitFor();
      await field().press('Escape');
      await page.getByRole('listbox').waitFor({ state: 'detached' });
    });
  });

  test('chips are reached, edited and removed by keyboard', async () => {
    await keepingScreenshot(page, 'search-keys', async () => {
      await open('is:unresolved customer:zeta free');
      await page.keyboard.press('/');
      expect(await field().inputValue()).toBe('free');
      await page.keyboard.type('ly');
      expect(await field().inputValue()).toBe('freely');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowLeft');
      expect(await focused()).toBe('Edit filter customer is zeta');
      // A letter is for the search, and not for the list: `e` would resolve.
      await page.keyboard.press('e');
      expect(await field().inputValue()).toBe('efreely');
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      expect(await field().inputValue()).toBe('customer:zeta efreely');
      await page.keyboard.type('acme');
      expect(await field().inputValue()).toBe('customer:acme efreely');
      for (const _ of 'efreely ') await page.keyboard.press('Delete');
      await page.keyboard.press('ArrowRight');
      await chip('customer is acme').waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      expect(await focused()).toBe('Edit filter is unresolved');
      await page.keyboard.press('Backspace');
      await chip('is unresolved').waitFor({ state: 'detached' });
      expect(await focused()).toBe('Search issues');
      await page.keyboard.press('Control+a');
      expect(await field().inputValue()).toBe('customer:acme');
      await page.keyboard.press('Enter');
      await expect.poll(queryOf).toBe('customer:acme');
      await expect.poll(() => rows().count()).toBe(1);
    });
  });

  testInFull('chips are edited and removed with the mouse, and what is pasted becomes chips', async () => {
    await keepingScreenshot(page, 'search-mouse', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await open('');
      await field().focus();
      await page.evaluate(() => navigator.clipboard.writeText('is:unresolved customer:acme level:error'));
      await page.keyboard.press('Control+v');
      await chip('level is error').waitFor();
      await chip('customer is acme').getByText('customer').click();
      await page.keyboard.type('customer');
      expect(await field().inputValue()).toBe('customer:acme');
      await page.keyboard.press('Enter');
      await expect.poll(queryOf).toBe('is:unresolved customer:acme level:error');
      await page.getByRole('button', { name: 'Remove filter customer is acme' }).click();
      await expect.poll(queryOf).toBe('is:unresolved level:error');
      await expect.poll(() => rows().count()).toBe(2);
    });
  });

  test('marks the filter that is wrong with the reason', async () => {
    await keepingScreenshot(page, 'search-error', async () => {
      await open('customer:acme is:open');
      const alert = page.locator('[data-search-error]');
      await alert.waitFor();
      const reason = await alert.textContent();
      expect(reason).toContain('"is:" does not support "open" at character 18');
      await chip(`is open, invalid: ${reason}`).waitFor();
      await open();
      await field().focus();
      await field().pressSequentially('timesSeen:many ');
      await chip('timesSeen is many, invalid: "timesSeen:" needs a number, for example 500 or >1k').waitFor();
      await alert.waitFor();
    });
  });

  test('shows the character where a text goes wrong', async () => {
    await keepingScreenshot(page, 'search-position', async () => {
      await open('word (customer:acme');
      const alert = page.locator('[data-search-error]');
      await alert.waitFor();
      expect(await alert.locator('pre').textContent()).toBe(`${' '.repeat(5)}▲`);
      expect(await field().inputValue()).toBe('word (customer:acme');
    });
  });

  testInFull('saves a search, chooses it again, deletes it and takes that back', async () => {
    await keepingScreenshot(page, 'search-saved', async () => {
      await page.goto(`${stream}&query=${encodeURIComponent('customer:acme')}`);
      await expect.poll(() => rows().count()).toBe(1);
      const menu = page.getByRole('button', { name: 'Saved searches' });
      await menu.click();
      await page.getByRole('menuitem', { name: 'Save this search…' }).click();
      await page.getByLabel('Name').fill('Acme only');
      await page.getByRole('button', { name: 'Everyone in the organization' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Saved Acme only').waitFor();

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
