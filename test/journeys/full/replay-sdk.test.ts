import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { bundleProgram, serveProgram } from '../../harness/bundle-program.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const PAGE = `<!doctype html><title>Shop</title><style>h1{color:rgb(1,2,3)}</style><h1>Shop</h1><p id=total>Total: 12</p>
<button id=broken>Apply coupon</button><button id=fail>Check out</button><script src="/app.js"></script>`;

test('what @sentry/browser records in Chromium plays, with its rage click, its request and its error', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, dsn, slug } = await makeProject('replay-sdk');
  const script = await bundleProgram('browser-replays.js');
  await using site = await serveProgram(script, PAGE, { '/api/cart': 500 });
  await using browser = await launchChromium();
  const shop = await browser.newPage();
  await shop.goto(`${site.url}/?dsn=${encodeURIComponent(dsn)}`);
  const replayId = await rageAndFail(shop);

  type Replay = { count_errors: number; count_rage_clicks: number; count_dead_clicks: number };
  const stored = await until(
    'the replay with its clicks is stored',
    async () => {
      const { body } = await api.request('GET', `/api/0/projects/main/${slug}/replays/${replayId}/`);
      const { data } = body as { data?: Replay & { user: unknown; browser: unknown } };
      return data && data.count_rage_clicks > 0 && data.count_errors > 0 ? data : null;
    },
    { timeoutMs: 30_000 },
  );
  expect(stored).toMatchObject({
    count_rage_clicks: 1,
    count_dead_clicks: 1,
    count_errors: 1,
    user: { email: 'ada@example.com' },
    browser: { name: expect.stringContaining('Chrome') },
  });

  const page = await openAsOwner(browser);
  await keepingScreenshot(page, 'replay-sdk', async () => {
    await page.goto(`${errata.url}/main/replays/${replayId}`);
    const recorded = page.frameLocator('iframe[title="Recording"]').frameLocator('iframe');
    await recorded.getByText('Total: 12').waitFor();
    expect(await recorded.locator('h1').evaluate((title) => getComputedStyle(title).color)).toBe(
      'rgb(1, 2, 3)',
    );
    await page.getByText('Rage click, 6 times').waitFor();
    await page.getByRole('tab', { name: /Network/ }).click();
    await page.getByText('/api/cart').waitFor();
    await page.getByRole('tab', { name: /Errors/ }).click();
    await page.getByRole('button', { name: /^Go to/ }).click();
    await recorded.getByText('Failed').waitFor({ timeout: 5_000 });
  });
});

async function rageAndFail(page: Page): Promise<string> {
  // The recorder begins once the page is idle.
  await page.waitForFunction(() => (globalThis as { findReplayId?: () => string }).findReplayId?.());
  await page.waitForTimeout(1_000);
  for (let click = 0; click < 6; click++) await page.locator('#broken').click();
  // The SDK waits 7 s for a change.
  await page.waitForTimeout(8_500);
  await page.locator('#fail').click();
  await page.getByText('Failed').waitFor();
  // Segments are sent every 5 s.
  await page.waitForTimeout(6_000);
  return page.evaluate(() => (globalThis as { findReplayId?: () => string }).findReplayId?.() ?? '');
}
