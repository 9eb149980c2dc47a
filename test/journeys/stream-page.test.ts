import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY_MS } from '#lib/time.ts';
import { axeOf } from '../harness/axe.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { chooseOption } from '../harness/choose-option.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { hydrated } from '../harness/hydrated.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';

/** Other programs share the machine. */
const poll = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 15_000 });

const hasBrowser = findChromium() !== null;
/** Issue and environment of each event; the third issue is in both. */
const EVENTS = [
  [0, 'production'],
  [1, 'staging'],
  [2, 'production'],
  [2, 'staging'],
] as const;

describe.skipIf(!hasBrowser)(`the stream and its filters${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let stream: string;

  beforeAll(async () => {
    const { errata, api, dsn, ...project } = await makeProject('stream');
    ({ url } = errata);
    ({ slug } = project);
    for (const [issue, environment] of EVENTS) {
      const event = { ...makeJavascriptError({ issue, bytes: 2_000 }), event_id: newEventId(), environment };
      expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
      await findEvent(api, slug, event.event_id);
    }
    stream = `${url}/main/issues?project=${slug}`;
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  const rows = () => page.locator('section[aria-label="Issues"] li');
  const parameter = (name: string) => new URL(page.url()).searchParams.getAll(name);
  const menu = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}:`) });
  const hasFocus = (name: string) => menu(name).evaluate((button) => button === document.activeElement);

  async function open(address = stream): Promise<void> {
    await page.goto(address);
    await hydrated(page);
  }

  testInFull(
    'the environment filters the issues, the tabs count the same, and the address says so',
    async () => {
      await keepingScreenshot(page, 'stream-environment', async () => {
        await open();
        await poll(() => rows().count()).toBe(3);
        await menu('Environments').click();
        await page.getByRole('menuitemcheckbox', { name: 'staging' }).click();
        await poll(() => rows().count()).toBe(2);
        expect(parameter('environment')).toEqual(['staging']);
        expect(await page.getByRole('link', { name: /^Unresolved/ }).textContent()).toContain('2');
        await page.getByRole('menuitemcheckbox', { name: 'production' }).click();
        await poll(() => rows().count()).toBe(3);
        expect(parameter('environment')).toEqual(['staging', 'production']);
        await page.goBack();
        await poll(() => rows().count()).toBe(2);
      });
    },
  );

  test('a search that finds nothing says what in it no event has', async () => {
    await keepingScreenshot(page, 'stream-slip', async () => {
      await open(`${stream}&query=levl:error`);
      await page.getByText('No stored event has a field or tag "levl". Did you mean "level"?').waitFor();
      await open(`${stream}&query=is:unresloved`);
      await page.getByText('did you mean "unresolved"?').first().waitFor();
    });
  });

  testInFull(
    'the filters stay when one goes to another section, to an issue, or over the settings',
    async () => {
      await keepingScreenshot(page, 'stream-filters-stay', async () => {
        await open(`${stream}&environment=staging&range=24h`);
        const chosen = () => [parameter('project'), parameter('environment'), parameter('range')];
        const expected = [[slug], ['staging'], ['24h']];
        for (const section of ['Stats', 'Releases', 'Issues']) {
          await page
            .getByRole('navigation', { name: 'Main' })
            .first()
            .getByRole('link', { name: section })
            .click();
          await page.waitForURL((address) => address.pathname === `/main/${section.toLowerCase()}`);
          expect(chosen(), section).toEqual(expected);
        }
        await rows().first().getByRole('link').first().click();
        await page.waitForURL((address) => address.pathname.startsWith('/main/issues/'));
        expect(chosen(), 'the issue').toEqual(expected);
        await hydrated(page);
        await page.keyboard.press('g');
        await page.keyboard.press(',');
        await page.waitForURL((address) => address.pathname === '/main/settings');
        await page.keyboard.press('g');
        await page.keyboard.press('i');
        await page.waitForURL((address) => address.pathname === '/main/issues');
        expect(chosen(), 'after the settings').toEqual(expected);
      });
    },
  );

  testInFull(
    'a time between two moments can be chosen, and one that is over shows what was then',
    async () => {
      await keepingScreenshot(page, 'stream-absolute', async () => {
        await open();
        await poll(() => rows().count()).toBe(3);
        await menu('Time range').click();
        await page.getByRole('menuitem', { name: 'Custom range…' }).click();
        const [from, to] = [page.getByLabel('From'), page.getByLabel('To', { exact: true })];
        const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
        await from.fill(`${yesterday}T20:00`);
        await to.fill(`${yesterday}T10:00`);
        await page.getByRole('button', { name: 'Apply' }).click();
        await page.getByText('The end must be after the start').waitFor();
        await from.fill(`${yesterday}T01:00`);
        await page.getByRole('button', { name: 'Apply' }).click();
        await poll(() => parameter('start').length).toBe(1);
        await page.getByRole('heading', { name: /No unresolved issues|No matching issues/ }).waitFor();
        // Sentry's own names are understood as well.
        await open(`${stream}&statsPeriod=90d`);
        await poll(() => rows().count()).toBe(3);
        await menu('Time range').waitFor();
        expect(await menu('Time range').textContent()).toContain('Last 90 days');
      });
    },
  );

  testInFull('menus come with the first press, by the keyboard too, and give the focus back', async () => {
    await keepingScreenshot(page, 'stream-menus', async () => {
      await open();
      await menu('Time range').focus();
      await page.keyboard.press('ArrowDown');
      const item = page.getByRole('menuitemradio', { name: 'Last hour' });
      await item.waitFor();
      await poll(() => item.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
      await poll(() => hasFocus('Time range')).toBe(true);
      // From now on the menu is its own: again, by Enter.
      await page.keyboard.press('Enter');
      await item.waitFor();
      await page.keyboard.press('Escape');
      await poll(() => hasFocus('Time range')).toBe(true);

      const sort = page.getByRole('combobox', { name: 'Sort' });
      await sort.click();
      await chooseOption(page, 'Events');
      await poll(() => parameter('sort')).toEqual(['freq']);
      expect(await sort.textContent()).toContain('Events');
    });
  });

  test('what is done can be undone from the toast, and it is announced', async () => {
    await keepingScreenshot(page, 'stream-undo', async () => {
      await open();
      await poll(() => rows().count()).toBe(3);
      await page.getByRole('checkbox', { name: 'Select all issues on this page' }).check();
      await page.getByRole('toolbar').getByRole('button', { name: 'Resolve', exact: false }).first().click();
      await page.getByText('Resolved: 3 issues').first().waitFor();
      expect(await page.locator('[aria-live]', { hasText: 'Resolved: 3 issues' }).count()).toBeGreaterThan(0);
      await page.getByRole('heading', { name: 'No unresolved issues' }).waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await poll(() => rows().count()).toBe(3);
    });
  });

  test('the chart tells its values to the keyboard, and a drag or the keys choose a time', async () => {
    await keepingScreenshot(page, 'stream-chart', async () => {
      await open(`${url}/main/stats?project=${slug}`);
      const chart = page.getByRole('slider');
      await chart.waitFor();
      await poll(() => chart.getAttribute('aria-valuetext')).toMatch(/: 4 errors$/);
      await chart.focus();
      await page.keyboard.press('ArrowLeft');
      await poll(() => chart.getAttribute('aria-valuetext')).toMatch(
        // The project is younger than that.
        /: no data$/,
      );
      await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await poll(() => parameter('start').length).toBe(1);
      const [start = '', end = ''] = [parameter('start')[0], parameter('end')[0]];
      expect(Date.parse(end) - Date.parse(start), 'two bars of twelve hours').toBe(DAY_MS);

      await open(`${url}/main/stats?project=${slug}`);
      await hydrated(page, '[role="slider"]');
      const box = await chart.boundingBox();
      if (!box) throw new Error('The chart is not there');
      await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.75, box.y + 40, { steps: 5 });
      await page.mouse.up();
      await poll(() => parameter('start').length).toBe(1);
      expect(Date.parse(parameter('end')[0] ?? '') - Date.parse(parameter('start')[0] ?? '')).toBeGreaterThan(
        2 * DAY_MS,
      );
    });
  });

  testInFull('says that the browser is offline, and when it is back', async () => {
    await open();
    await page.context().setOffline(true);
    await page.getByText('You’re offline.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('You’re offline.').waitFor({ state: 'detached' });
  });

  const schemes = IS_FULL ? (['light', 'dark'] as const) : (['light'] as const);
  test.each(schemes)('is accessible with everything open: %s', async (colorScheme) => {
    const context = await browser.newContext({
      colorScheme,
      reducedMotion: 'reduce',
      storageState: await page.context().storageState(),
    });
    const own = await context.newPage();
    await keepingScreenshot(own, `stream-axe-${colorScheme}`, async () => {
      await own.goto(stream);
      await hydrated(own);
      await own
        .getByRole('checkbox', { name: /^Select / })
        .nth(1)
        .check();
      await own.getByRole('button', { name: /^Environments:/ }).click();
      await own.getByRole('menu').waitFor();
      // The guards that keep the focus in a menu are hidden on purpose, and a menu floats outside of every landmark.
      const found = await axeOf(own).exclude('[data-base-ui-focus-guard]').disableRules(['region']).analyze();
      expect(found.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
    });
    await context.close();
  });

  test('the page of the design system is not part of a built app', async () => {
    expect((await page.request.get(`${url}/design`)).status()).toBe(404);
  });
});
