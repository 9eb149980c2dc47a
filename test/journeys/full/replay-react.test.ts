import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { bundleProgram, serveProgram } from '../../harness/bundle-program.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Furniture</title>
<style>body{font:16px sans-serif;margin:2rem}.total{color:rgb(20,90,60)}.dead{padding:.5rem 1rem}</style>
<div id="root"></div><script src="/app.js"></script></html>`;
const CLICKS = 7;
/** Of a mark from the time that its entry leads to; the thumb moves in steps. */
const NEAR_MS = 1_500;

test('a React shop that @sentry/react records is played, and a rage click on its dead button is found', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, dsn, slug } = await makeProject('replay-react');
  await using site = await serveProgram(await bundleProgram('react-shop.jsx'), PAGE);
  await using browser = await launchChromium();
  const shop = await browser.newPage({ viewport: { width: 1_000, height: 700 } });
  await shop.goto(`${site.url}/?dsn=${encodeURIComponent(dsn)}`);
  const replayId = await shopInAnger(shop);
  await until(
    'the replay with its rage click and its error is stored',
    async () => {
      const { body } = await api.request('GET', `/api/0/projects/main/${slug}/replays/${replayId}/`);
      const { data } = body as { data?: { count_rage_clicks: number; count_errors: number } };
      return data?.count_rage_clicks === 1 && data.count_errors === 1;
    },
    { timeoutMs: 30_000 },
  );

  const page = await openAsOwner(browser);
  await keepingScreenshot(page, 'replay-react', async () => {
    await page.goto(`${errata.url}/main/replays?project=${slug}&with=rageClicks`);
    const row = page.getByRole('row', { name: /grace@example.com/ });
    await row.waitFor();
    const titles = await page.getByRole('columnheader').allTextContents();
    const cells = await row.getByRole('cell').allTextContents();
    const cell = (title: string) => cells[titles.indexOf(title)];
    expect([cell('Rage clicks'), cell('Dead clicks'), cell('Errors')]).toEqual(['1', '1', '1']);
    await row.getByRole('link', { name: 'grace@example.com' }).click();

    const recorded = page.frameLocator('iframe[title="Recording"]').frameLocator('iframe');
    await recorded.locator('h1', { hasText: 'Furniture' }).waitFor();
    expect(await recorded.locator('ul > li').count()).toBe(3);
    const color = (element: Element) => getComputedStyle(element).color;
    expect(await recorded.locator('.total').evaluate(color)).toBe('rgb(20, 90, 60)');
    expect(await recorded.locator('h2').textContent()).toBe('Cart (0)');
    await hydrated(page);

    const mark = page.locator('[title^="Rage click"]');
    await mark.waitFor();
    const entry = page
      .getByRole('list', { name: 'Breadcrumbs' })
      .getByRole('listitem')
      .filter({ hasText: /Rage click, \d+ times/ });
    expect(await entry.textContent()).toContain('button.dead');
    await entry.getByRole('button', { name: /^Go to/ }).click();
    const slider = page.getByRole('slider', { name: 'Time in the replay' });
    const clock = () => slider.inputValue().then(Number);
    // What React had drawn by then: two articles, and checkout still there.
    await recorded.locator('h2', { hasText: 'Cart (2)' }).waitFor();
    await recorded.getByText('Total: 505 €').waitFor();
    expect(await recorded.locator('button', { hasText: 'Check out' }).count()).toBe(1);
    await expect.poll(() => entry.getAttribute('aria-current')).toBe('true');
    // The mark stands in the timeline where the thumb went.
    const at = await clock();
    expect(at).toBeGreaterThan(0);
    const share = await mark.evaluate((span) => Number.parseFloat((span as HTMLElement).style.left) / 100);
    const lengthMs = Number(await slider.getAttribute('max'));
    expect(Math.abs(share * lengthMs - at)).toBeLessThan(NEAR_MS);

    await page.getByRole('tab', { name: /Errors/ }).click();
    await page.getByRole('button', { name: /^Go to/ }).click();
    await recorded.getByText('Checkout is not available').waitFor();
    expect(await clock()).toBeGreaterThan(at);
  });
});

/** Fills the cart, clicks the dead button, and makes the checkout fail; answers the ID of the replay. */
async function shopInAnger(shop: Page): Promise<string> {
  type Recorder = { findReplayId?: () => string | undefined };
  // The recorder begins once the page is idle.
  await shop.waitForFunction(() => (globalThis as Recorder).findReplayId?.());
  await shop.waitForTimeout(1_000);
  await shop.getByRole('button', { name: 'Add Walnut desk' }).click();
  await shop.getByRole('button', { name: 'Add Brass lamp' }).click();
  await shop.getByText('Total: 505').waitFor();
  const dead = shop.getByRole('button', { name: 'Apply coupon' });
  for (let click = 0; click < CLICKS; click++) await dead.click();
  // The SDK waits 7 s for a change.
  await shop.waitForTimeout(8_500);
  await shop.getByRole('button', { name: 'Check out' }).click();
  await shop.getByText('Checkout is not available').waitFor();
  // Segments are sent every 5 s.
  await shop.waitForTimeout(6_000);
  return shop.evaluate(() => (globalThis as Recorder).findReplayId?.() ?? '');
}
