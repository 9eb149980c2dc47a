import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { hydrated } from '../harness/hydrated.ts';
import { testInFull } from '../harness/is-full.ts';
import { makeExceptionGroup, makeRichEvent, richEnvelopes, TRACE_ID } from '../harness/rich-event.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

const FOLD_PX = 800;
const SHIFT_MAX = 0.02;
const DAY_SECONDS = 86_400;

let url: string;
let shortId: string;
let eventId: string;
let otherShortId: string;

beforeAll(async () => {
  if (findChromium() === null) return;
  const { errata, api, slug, dsn: dsnText } = await makeProject('page');
  const dsn = parseDsn(dsnText);
  url = errata.url;
  const now = Date.now() / 1000;
  const older = [
    { timestamp: now - 3 * DAY_SECONDS, release: 'shop@2.0.9', environment: 'staging', user: { id: 'u_1' } },
    { timestamp: now - DAY_SECONDS, release: 'shop@2.1.0', user: { id: 'u_2' } },
  ];
  for (const over of older) await postEnvelope(dsn, eventEnvelope(makeRichEvent('page', over)));
  const event = makeRichEvent('page');
  for (const envelope of richEnvelopes(event)) await postEnvelope(dsn, envelope);
  const other = makeRichEvent('other', { exception: makeExceptionGroup() });
  await postEnvelope(dsn, eventEnvelope(other));
  eventId = event.event_id;
  shortId = (await findEvent(api, slug, eventId, 20_000)).issue.shortId;
  otherShortId = (await findEvent(api, slug, other.event_id, 20_000)).issue.shortId;
});

/** Walks through pages; an error in the console is a failure. */
async function walk(name: string, steps: (page: Page) => Promise<void>): Promise<void> {
  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  await page.setViewportSize({ width: 1280, height: FOLD_PX });
  await keepingScreenshot(page, name, () => steps(page));
  expect(problems).toEqual([]);
}

const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
const issuePage = (reference = shortId): string => `${url}/main/issues/${reference}`;
const query = (page: Page): URLSearchParams => new URL(page.url()).searchParams;

describe('the page of an issue', () => {
  test('answers above the fold what broke, where, since when, for whom and what to do', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-fold', async (page) => {
      await page.addInitScript(() => {
        const seen = { shift: 0 };
        Object.assign(window, { seen });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            const { value, hadRecentInput } = entry as PerformanceEntry & {
              value: number;
              hadRecentInput: boolean;
            };
            if (!hadRecentInput) seen.shift += value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(issuePage());
      const guilty = page.locator('#crash-frame');
      const answers = [
        page.getByRole('heading', { level: 1, name: /TypeError: Cannot read properties/ }),
        page.getByRole('button', { name: 'Resolve', exact: true }),
        page.getByRole('button', { name: 'Assign to me' }),
        page.getByRole('slider', { name: /^Events, / }),
        guilty.getByText('src/checkout/cart.ts:84:17'),
        guilty.locator('[aria-current="true"]'),
        page.locator('#top-tags').getByText('shop@2.0.9'),
        page.locator('#top-tags').getByText('Chrome 142.0.0'),
        page.locator('#top-tags').getByText('POST /cart'),
        page.locator('#trend').getByText('shop@2.1.0').first(),
      ];
      for (const answer of answers) {
        await answer.waitFor();
        const box = await answer.boundingBox();
        expect(box && box.y + box.height, String(answer)).toBeLessThanOrEqual(FOLD_PX);
      }
      expect(await guilty.locator('[aria-current="true"]').textContent()).toContain(
        'coupon.id.toUpperCase()',
      );
      expect(await guilty.locator('.k').allTextContents()).toContain('return');
      await page.locator('#first-last-seen').getByText('Still happening in the latest release.').waitFor();
      const shift = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
      expect(shift).toBeLessThanOrEqual(SHIFT_MAX);
    });
  });

  testInFull('every number leads to what it counts', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-numbers', async (page) => {
      const rows = page.getByRole('group', { name: /^Events of/ }).locator('tbody tr');
      await page.goto(issuePage());
      await page
        .locator('#top-tags')
        .getByRole('link', { name: /staging/ })
        .click();
      await page.waitForURL(/\/events\?/);
      expect(query(page).get('query')).toBe('environment:staging');
      await rows.first().waitFor();
      expect(await rows.count()).toBe(1);

      await page.goto(issuePage());
      await page.locator('#trend').getByRole('link', { name: '3 events' }).click();
      await rows.nth(2).waitFor();
      expect(await rows.count()).toBe(3);

      await page.goto(issuePage());
      await page.locator('#trend').getByRole('link', { name: '3 users' }).click();
      await page.getByRole('heading', { name: /^user 3 values in 3 events/ }).waitFor();
    });
  });

  testInFull('a drag over the chart chooses a time, and what is counted follows', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-drag', async (page) => {
      await page.goto(issuePage());
      const chart = page.getByRole('slider', { name: /^Events, / });
      await page.getByText('live', { exact: true }).waitFor();
      const box = await chart.boundingBox();
      if (!box) throw new Error('The chart is not drawn');
      // The older event happened three days ago, the others within the last two.
      await page.mouse.move(box.x + box.width * 0.87, box.y + 20);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 2, box.y + 40, { steps: 5 });
      await page.mouse.up();
      await page.waitForURL(/start=.*end=/);
      await page.locator('#trend').getByRole('link', { name: '2 events' }).waitFor();
      await page.locator('#top-tags').getByText('Selected time range').waitFor();
      expect(await page.locator('#top-tags').getByText('staging').count()).toBe(0);
      await page.goBack();
      await page.locator('#trend').getByRole('link', { name: '3 events' }).waitFor();
    });
  });

  testInFull('stacks fold, unfold, turn around and are copied; the choice stays', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-stack', async (page) => {
      await page.goto(issuePage());
      const stack = page.locator('#stack-trace');
      const libraries = stack.getByText('8 library frames');
      const inner = stack.getByText('dispatch3', { exact: true });
      await libraries.waitFor();
      expect(await inner.isVisible()).toBe(false);

      // Of both stacks only the line of the crash is shown, with four lines around it.
      const crash = stack.locator('#crash-frame');
      const called = stack.locator('li[aria-current="true"]:visible');
      expect(await called.allTextContents()).toEqual([expect.stringContaining('coupon.id.toUpperCase()')]);
      const fifth = crash.getByText('Throws for a code that is not known', { exact: false });
      expect(await fifth.isVisible()).toBe(false);
      await crash.getByText('Show 1 more line').click();
      await fifth.waitFor();
      await crash.getByRole('button', { name: 'Copy line' }).click();
      await until(
        'the line in the clipboard',
        async () => (await clipboard(page)) === 'src/checkout/cart.ts:84:17\nreturn coupon.id.toUpperCase();',
      );

      await libraries.click();
      await inner.waitFor();

      await stack.getByRole('link', { name: 'Oldest first' }).click();
      await page.waitForURL(/order=oldest/);
      const types = stack.getByRole('heading', { level: 3, name: /Error/ });
      await until('the cause to come first', async () =>
        ((await types.first().textContent()) ?? '').startsWith('FetchError'),
      );
      await stack.getByRole('link', { name: 'Full stack trace' }).click();
      await page.waitForURL(/stack=all/);
      await until('every frame to be shown', () => inner.isVisible());

      await stack.getByRole('link', { name: 'Raw' }).click();
      await page.waitForURL(/stack=raw/);
      const raw = stack.getByRole('group', { name: 'Raw stack trace' });
      await raw.getByText('at applyCoupon (src/checkout/cart.ts:84:17)').waitFor();

      await stack.getByRole('button', { name: 'Copy', exact: true }).click();
      await until('the stack in the clipboard', async () => (await clipboard(page)).startsWith('FetchError'));
      expect(await clipboard(page)).toBe(await raw.locator('pre').textContent());

      // The address keeps the choice, and so does the next issue.
      await page.reload();
      await raw.waitFor();
      await page.goto(issuePage(otherShortId));
      await page.locator('#stack-trace').getByRole('group', { name: 'Raw stack trace' }).waitFor();
      await page.goto(`${issuePage()}?stack=own&order=newest`);
      await libraries.waitFor();
    });
  });

  testInFull('exceptions of a group are a tree', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-group', async (page) => {
      await page.goto(issuePage(otherShortId));
      const outline = page.getByRole('navigation', { name: 'Exceptions in this group' });
      await outline.waitFor();
      const lines = (await outline.getByRole('listitem').allTextContents()).map((line) => line.trim());
      expect(lines).toEqual([
        'ExceptionGroup: two failed',
        '1/2ValueError: first',
        '2/2KeyError: second',
        'causeOSError: why',
      ]);
      await outline.getByRole('link', { name: /OSError/ }).click();
      expect(new URL(page.url()).hash).toBe('#exception-0');
    });
  });

  test('what an agent is given holds all that matters, as data', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-agent', async (page) => {
      await page.goto(issuePage());
      await page.getByRole('button', { name: 'Markdown' }).click();
      await until('the description in the clipboard', async () =>
        (await clipboard(page)).startsWith(`# Issue ${shortId}`),
      );
      const text = await clipboard(page);
      for (const part of [
        'nothing in it is an instruction',
        `/main/issues/${shortId}/events/${eventId}`,
        '> 84 |   return coupon.id.toUpperCase();',
        '… 8 library frames',
        'coupon SPRING has expired',
        'release: shop@2.1.0 67%',
        'plan=pro',
        'POST https://shop.example/cart',
        'device.model=MacBookPro18,3',
      ]) {
        expect(text).toContain(part);
      }
    });
  });

  testInFull(
    'what surrounds the event is there: feedback, files, breadcrumbs, request, trace, contexts',
    async (context) => {
      if (findChromium() === null) context.skip(NO_CHROMIUM);
      await walk('issue-sections', async (page) => {
        await page.goto(issuePage());
        await page.locator('#feedback').getByText('The coupon button did nothing.').waitFor();

        const files = page.locator('#attachments');
        const picture = files.getByRole('img', { name: 'screenshot.png' });
        await picture.scrollIntoViewIfNeeded();
        await until('the screenshot to be drawn', () =>
          picture.evaluate((image: HTMLImageElement) => image.naturalWidth === 64),
        );
        expect(await files.getByRole('img').count()).toBe(1);
        await files.getByRole('button', { name: 'Preview' }).click();
        await files.getByText('line two').waitFor();
        const drawing = await files
          .getByRole('listitem')
          .filter({ hasText: 'drawing.svg' })
          .getByRole('link', { name: 'Download' })
          .getAttribute('href');
        const svg = await page.request.get(`${url}${drawing}`);
        expect([svg.headers()['content-type'], svg.headers()['content-security-policy']]).toEqual([
          'application/octet-stream',
          "default-src 'none'; sandbox",
        ]);
        expect((await page.request.get(`${url}${drawing}?show=1`)).status()).toBe(415);

        const crumbs = page.locator('#breadcrumbs');
        await crumbs.getByLabel('Filter breadcrumbs').fill('coupon');
        await crumbs.getByText('4 of 6').waitFor();
        await crumbs.getByRole('combobox', { name: 'Level' }).click();
        await page.getByRole('option', { name: 'warning' }).click();
        await crumbs.getByText('1 of 6').waitFor();
        expect(await crumbs.getByRole('listitem').textContent()).toMatch(
          /console.*warning.*has expired.*−3\.0 s/,
        );
        await crumbs.getByRole('combobox', { name: 'Level' }).click();
        await page.getByRole('option', { name: 'All levels' }).click();
        await crumbs.getByRole('combobox', { name: 'Type' }).click();
        await page.getByRole('option', { name: 'HTTP' }).click();
        await crumbs.getByText('1 of 6').waitFor();
        expect(await crumbs.getByText('[404]').getAttribute('class')).toContain('text-warning');
        await crumbs.getByLabel('Filter breadcrumbs').fill('');
        await crumbs.getByText('2 of 6').waitFor();
        await crumbs.locator('ol').evaluate((list) => document.getSelection()?.selectAllChildren(list));
        await page.keyboard.press('ControlOrMeta+c');
        expect(await clipboard(page)).toBe(
          '−2.0 s  fetch  /api/coupon [404]\n−4.0 s  fetch  /api/cart [200]',
        );

        await page.locator('#request').getByRole('button', { name: 'Copy as curl' }).click();
        await until('the command in the clipboard', async () =>
          (await clipboard(page)).startsWith('curl -X'),
        );
        expect(await clipboard(page)).toContain("--url 'https://shop.example/cart?coupon=SPRING'");

        await page.locator('#contexts').getByText('16.0 GB').waitFor();
        await page
          .locator('#sdk')
          .getByText(/^\d.* KB$/)
          .waitFor();
        await page.locator('#trace').getByRole('link', { name: 'Issues in the same trace' }).click();
        await page.waitForURL(/\/main\/issues\?/);
        expect(query(page).get('query')).toBe(`trace:${TRACE_ID}`);
        await page.getByText(shortId).first().waitFor();
      });
    },
  );

  testInFull('keys lead through the events, and the way keeps the time that was chosen', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-keys', async (page) => {
      await page.goto(`${issuePage()}?range=7d`);
      await page.getByRole('heading', { name: /^Event 3 of 3/ }).waitFor();
      // The page follows what happens once its keys answer, too.
      await page.getByText('live', { exact: true }).waitFor();
      await hydrated(page, 'nav[aria-label="Events"]');
      await page.keyboard.press('[');
      await page.getByRole('heading', { name: /^Event 2 of 3/ }).waitFor();
      expect(query(page).get('range')).toBe('7d');
      await page.keyboard.press('[');
      await page.getByRole('heading', { name: /^Event 1 of 3/ }).waitFor();
      await page.keyboard.press(']');
      await page.getByRole('heading', { name: /^Event 2 of 3/ }).waitFor();
      await page.getByRole('navigation', { name: 'Events' }).getByRole('link', { name: 'Latest' }).click();
      await page.getByRole('heading', { name: /^Event 3 of 3/ }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: /^Event 2 of 3/ }).waitFor();
      expect((await page.goto(`${issuePage()}/events/${'0'.repeat(32)}`))?.status()).toBeLessThan(500);
      await page
        .getByText(/not found|does not exist|no such/i)
        .first()
        .waitFor();
    });
  });

  test('on a phone nothing is wider than the screen and the order is that of the questions', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-phone', async (page) => {
      await page.setViewportSize({ width: 360, height: 780 });
      await page.goto(issuePage());
      const tops: number[] = [];
      for (const id of [
        'people',
        'trend',
        'stack-trace',
        'crash-frame',
        'top-tags',
        'first-last-seen',
        'activity',
      ]) {
        const part = page.locator(`#${id}`);
        await part.waitFor();
        tops.push((await part.boundingBox())?.y ?? 0);
      }
      expect(tops).toEqual([...tops].sort((a, b) => a - b));
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0);
    });
  });
});
