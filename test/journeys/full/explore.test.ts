import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOf } from '../../harness/axe.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';

const EVENTS = 6;
const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`exploring errors in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;

  beforeAll(async () => {
    const { errata, api, dsn, ...project } = await makeProject('asked');
    ({ url } = errata);
    ({ slug } = project);
    let last = '';
    for (let index = 0; index < EVENTS; index++) {
      const event = {
        ...makeJavascriptError({ issue: index % 2, bytes: 2_000 }),
        environment: index < 4 ? 'production' : 'staging',
        user: { id: `u${index % 3}` },
        tags: { plan: index === 0 ? '=cmd|"x", free' : 'pro', lane: `l${index}` },
      };
      last = event.event_id;
      expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    }
    await findEvent(api, slug, last);
    browser = await launchChromium();
    page = await signIn(browser, url);
  });
  afterAll(async () => browser?.close());

  const walk = (name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `explore-${name}`, steps);
  const rows = () =>
    page
      .getByRole('table')
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });
  /** Of the first row. */
  const cells = () => rows().first().getByRole('cell').allTextContents();
  const open = (query = '') => page.goto(`${url}/main/explore/errors?project=${slug}${query}`);

  test('events with columns that are added and taken out; a row opens the event', async () => {
    await walk('columns', async () => {
      await open();
      await expect.poll(() => rows().count()).toBe(EVENTS);
      await page.getByLabel('Add column').fill('plan');
      await page.keyboard.press('Enter');
      await page.waitForURL(/field=plan/);
      await page.getByRole('columnheader', { name: 'plan' }).waitFor();
      await page.getByRole('button', { name: 'Remove column user.email' }).click();
      await page.waitForURL((address) => !address.search.includes('user.email'));
      await expect.poll(() => page.getByRole('columnheader', { name: 'user.email' }).count()).toBe(0);
      await page.goBack();
      await page.getByRole('columnheader', { name: 'user.email' }).waitFor();
      await rows().first().getByRole('link').first().click();
      await page.waitForURL(/\/main\/issues\/[^/]+\/events\/[0-9a-f]{32}/);
    });
  });

  test('what changed in the peak, and in another part that is selected with the keyboard', async () => {
    await walk('changed', async () => {
      await open('&range=24h');
      await page.getByRole('link', { name: 'What changed here' }).click();
      await page.waitForURL(/select=peak/);
      const card = page.locator('#changed');
      await card.getByText(`${EVENTS} events, compared with 0 in the rest`).waitFor();
      await card.getByText('there is nothing to compare them with').waitFor();
      await hydrated(page);
      const chart = page.getByRole('slider').first();
      await chart.focus();
      await page.keyboard.press('Home');
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Enter');
      await page.waitForURL(/select=20\d\d/);
      await card.getByText(`0 events, compared with ${EVENTS} in the rest`).waitFor();
      expect((await axeOf(page).analyze()).violations).toEqual([]);
      await card.getByRole('link', { name: 'Close' }).click();
      await expect.poll(() => card.count()).toBe(0);
      expect(page.url()).not.toContain('select=');
    });
  });

  test('a search, a value and a time narrow it down; all of it stands in the address', async () => {
    await walk('search', async () => {
      await open('&field=timestamp&field=plan');
      const box = page.getByRole('combobox', { name: 'Search events' });
      // The key works as soon as the page listens.
      await expect
        .poll(async () => {
          await page.keyboard.press('/');
          return box.evaluate((field) => field === document.activeElement);
        })
        .toBe(true);
      await box.fill('user.id:u1');
      await page.keyboard.press('Enter');
      await page.waitForURL(/query=user\.id%3Au1/);
      await expect.poll(() => rows().count()).toBe(2);
      await open('&field=plan');
      await rows().getByRole('link', { name: '=cmd' }).click();
      await expect.poll(() => rows().count()).toBe(1);
      await open('&environment=staging');
      await expect.poll(() => rows().count()).toBe(2);
      await open('&start=2020-01-01&end=2020-01-02');
      await page.getByRole('heading', { name: 'No events match' }).waitFor();
    });
  });

  test('groups by several fields with functions; an issue is one, and leads to its page', async () => {
    await walk('groups', async () => {
      await open('&view=groups');
      await expect.poll(() => rows().count()).toBe(2);
      await rows().first().getByRole('link').first().waitFor();
      await page.getByLabel('Add group').fill('environment');
      await page.keyboard.press('Enter');
      await page.waitForURL(/group=issue&group=environment/);
      await expect.poll(() => rows().count()).toBe(4);
      await page.getByRole('columnheader', { name: 'count()' }).getByRole('link').click();
      await page.waitForURL(/sort=count/);
      await expect
        .poll(() => page.getByRole('columnheader', { name: 'count()' }).getAttribute('aria-sort'))
        .toBe('ascending');
      await rows()
        .first()
        .getByRole('link', { name: /^Show / })
        .click();
      await page.waitForURL(/view=samples.*|query=issue/);
      await expect.poll(() => rows().count()).toBe(1);
      await open('&view=groups');
      await rows().first().getByRole('link').first().click();
      await page.waitForURL(/\/main\/issues\/[^/]+$/);
    });
  });

  test('addresses of the page as it was still work', async () => {
    await walk('old-addresses', async () => {
      await open('&group=environment&sort=-users');
      await expect.poll(() => rows().count()).toBe(2);
      expect((await cells())[0]).toBe('production');
      await open('&column=plan&sort=oldest');
      await expect.poll(() => rows().count()).toBe(EVENTS);
      expect((await cells())[1]).toBe('=cmd|"x", free');
    });
  });

  test('a query is saved, opened, starred, renamed and deleted', async () => {
    await walk('saved', async () => {
      await open('&view=groups&group=environment');
      const menu = page.getByRole('button', { name: 'Saved queries' });
      const choose = async (name: RegExp) => {
        await menu.click();
        await page.getByRole('menuitem', { name }).click();
      };
      await choose(/^Save this query/);
      await page.getByRole('textbox', { name: 'Name' }).fill('By environment');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(() => menu.textContent()).toContain('By environment');
      await open();
      await expect.poll(() => menu.textContent()).toContain('Saved queries');
      await choose(/^By environment/);
      await page.waitForURL(/group=environment/);
      await choose(/^Star /);
      await choose(/^Rename /);
      await page.getByRole('textbox', { name: 'Name' }).fill('By stage');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await expect.poll(() => menu.textContent()).toContain('By stage');
      await choose(/^Delete /);
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('By stage restored').waitFor();
      await expect.poll(() => menu.textContent()).toContain('By stage');
    });
  });

  test('a chosen stretch of the chart becomes the time of the page', async () => {
    await walk('drag', async () => {
      await open();
      const chart = page.getByRole('slider', { name: /^count/ });
      const box = await chart.boundingBox();
      if (!box) throw new Error('The chart is not there');
      await page.mouse.move(box.x + box.width * 0.2, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.5, box.y + 20, { steps: 5 });
      await page.mouse.up();
      await page.waitForURL(/start=.*end=/);
      await page.getByRole('heading', { name: 'No events match' }).waitFor();
    });
  });

  test('what cannot be asked says why, where it was typed', async () => {
    await walk('wrong', async () => {
      await open('&query=is%3Aunresolved');
      await page.getByRole('alert').filter({ hasText: 'applies to issues' }).waitFor();
      await open('&query=%22open');
      await page.getByRole('alert').filter({ hasText: 'Unclosed' }).waitFor();
      await open('&group=transaction.duration');
      await page.getByRole('alert').filter({ hasText: 'to transactions' }).waitFor();
      const { violations } = await axeOf(page).analyze();
      expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
    });
  });

  test('the table as a file: quoted, without formulas, and only for members', async () => {
    const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const path = `/main/explore/errors/csv?project=${slug}&field=title&field=plan&field=issue&sort=timestamp`;
    const answer = await fetch(`${url}${path}`, { headers: { cookie: cookies } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="main-errors-.*\.csv"$/);
    const lines = (await answer.text()).split('\r\n');
    expect(lines[0]).toBe('id,trace,title,plan,issue');
    expect(lines).toHaveLength(EVENTS + 2);
    expect(lines[1]).toContain(`"'=cmd|""x"", free"`);

    const groups = await fetch(`${url}/main/explore/errors/csv?project=${slug}&group=plan`, {
      headers: { cookie: cookies },
    });
    expect((await groups.text()).split('\r\n')[1]).toMatch(/^pro,5,/);
    const wrong = await fetch(`${url}${path}&query=is%3Aunresolved`, { headers: { cookie: cookies } });
    expect(wrong.status).toBe(400);
    expect((await fetch(`${url}${path}`, { redirect: 'manual' })).status).toBe(307);
  });
});
