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

/** Other programs share the machine. */
const poll = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 15_000 });

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`the command palette${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let dsn: string;
  let shortId: string;
  /** A word that only this issue has. */
  const word = `plinth${Math.random().toString(36).slice(2, 8)}`;

  beforeAll(async () => {
    const { errata, api, ...project } = await makeProject('palette');
    ({ url } = errata);
    ({ slug, dsn } = project);
    const event = {
      ...makeJavascriptError({ issue: 1, bytes: 2_000 }),
      event_id: newEventId(),
      exception: { values: [{ type: 'RangeError', value: `The ${word} is too long` }] },
    };
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    ({ shortId } = (await findEvent(api, slug, event.event_id)).issue);
    browser = await launchChromium();
    page = await openAsOwner(browser);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(async () => browser?.close());

  const field = () => page.getByRole('combobox', { name: 'Command palette' });
  const option = (name: string | RegExp) => page.getByRole('option', { name });

  async function open(address = `${url}/main/stats`): Promise<void> {
    await page.goto(address);
    await hydrated(page);
    await page.keyboard.press('Control+k');
    await field().waitFor();
  }

  test('fetches its code only when it is opened', async () => {
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(request.url()));
    await page.goto(`${url}/main/stats`);
    await hydrated(page);
    expect(fetched.filter((address) => address.includes('/api/palette/'))).toEqual([]);
    const scripts = fetched.filter((address) => address.endsWith('.js')).length;
    await page.keyboard.press('Control+k');
    await field().waitFor();
    expect(fetched.filter((address) => address.endsWith('.js')).length).toBeGreaterThan(scripts);
  });

  testInFull('gets what is typed before its code has come, and the page none of it', async () => {
    await keepingScreenshot(page, 'palette-early', async () => {
      await page.goto(`${url}/main/issues/${shortId}`);
      await hydrated(page);
      await page.route('**/*.js', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        await route.continue();
      });
      const actions: string[] = [];
      page.on('request', (request) => {
        if (request.headers()['next-action']) actions.push(request.url());
      });
      await page.keyboard.press('Control+k');
      // Of these `a` would archive the issue, and `e` resolve it.
      await page.keyboard.type('alertse', { delay: 100 });
      await page.keyboard.press('Backspace');
      await poll(() => field().inputValue()).toBe('alerts');
      await option(/^Alerts/)
        .first()
        .waitFor();
      expect(actions).toEqual([]);
      await page.unroute('**/*.js');
      await page.keyboard.press('Escape');
      await poll(() => field().count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Archive', exact: true }).count()).toBe(1);
    });
  });

  testInFull('goes to a section, a project and a page of the settings', async () => {
    await keepingScreenshot(page, 'palette-go', async () => {
      for (const [text, name, path] of [
        ['issues', /^Issues/, '/main/issues'],
        [slug, new RegExp(`^${slug} settings`), `/main/settings/projects/${slug}`],
        ['team', /^Teams/, '/main/settings/teams'],
      ] as const) {
        await open();
        await field().fill(text);
        await option(name).first().click();
        await page.waitForURL((address) => address.pathname === path);
      }
    });
  });

  test('finds an issue by its short id and by words of its title, with the keyboard alone', async () => {
    await keepingScreenshot(page, 'palette-issue', async () => {
      for (const text of [shortId.toLowerCase(), `too long ${word}`]) {
        await open();
        await field().pressSequentially(text);
        await option(new RegExp(word)).waitFor();
        expect(await option(new RegExp(word)).getAttribute('aria-selected')).toBe('true');
        expect(await field().getAttribute('aria-activedescendant')).toBe(
          await option(new RegExp(word)).getAttribute('id'),
        );
        await page.keyboard.press('Enter');
        await page.waitForURL((address) => address.pathname === `/main/issues/${shortId}`);
      }
      // It is kept once the page is there, which may be after its address.
      await page.waitForFunction(
        (kept) => (localStorage.getItem('errata.recent.main') ?? '').includes(kept),
        `/main/issues/${shortId}`,
      );
      await open();
      expect(await option(shortId).count(), 'it is among the recent places').toBe(1);
    });
  });

  testInFull('does what the page can do', async () => {
    await keepingScreenshot(page, 'palette-do', async () => {
      await open(`${url}/main/issues/${shortId}`);
      await field().fill('resolve');
      await option(/^Resolve or unresolve/).click();
      await page.getByText(`Resolved: ${shortId}`).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
    });
  });

  testInFull('copies a DSN, changes the theme, and says when nothing is found', async () => {
    await keepingScreenshot(page, 'palette-commands', async () => {
      await open();
      await field().fill(`dsn ${slug}`);
      await option(new RegExp(`^Copy DSN of ${slug}`)).click();
      await page.getByText('DSN copied').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(dsn);

      for (const [name, theme] of [
        ['Dark theme', 'dark'],
        ['System theme', undefined],
      ] as const) {
        await open();
        await field().fill('theme');
        await option(name).click();
        await poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
      }

      await open();
      await field().fill('xyzzy-nothing-has-this');
      await page.getByText('No results').waitFor();
    });
  });

  testInFull('is accessible, keeps the focus, and gives it back', async () => {
    await keepingScreenshot(page, 'palette-axe', async () => {
      await page.goto(`${url}/main/stats`);
      const button = page.getByRole('button', { name: 'Search and commands' });
      await button.click();
      await option(/^Stats/).waitFor();
      const found = await axeOf(page).include('[role="dialog"]').analyze();
      expect(found.violations).toEqual([]);
      await page.keyboard.press('ArrowUp');
      expect(await page.getByRole('option').last().getAttribute('aria-selected')).toBe('true');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
    });
  });

  testInFull('works on a phone', async () => {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      storageState: await page.context().storageState(),
    });
    const phone = await context.newPage();
    await keepingScreenshot(phone, 'palette-phone', async () => {
      await phone.goto(`${url}/main/issues`);
      await phone.getByRole('button', { name: 'Search and commands' }).tap();
      await phone.getByRole('combobox', { name: 'Command palette' }).fill('stats');
      await phone.getByRole('option', { name: /^Stats/ }).tap();
      await phone.waitForURL((address) => address.pathname === '/main/stats');
    });
    await context.close();
  });

  test('tells nobody who is signed out, and nothing of another organization', async () => {
    const signedOut = await fetch(`${url}/api/palette/main?text=${word}`);
    expect(signedOut.status).toBe(401);
    const elsewhere = await page.request.get(`${url}/api/palette/no-such-organization?text=${word}`);
    expect(elsewhere.status()).toBe(404);
  });
});
