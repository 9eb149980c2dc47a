import { expect, test } from 'vitest';
import { createApiClient } from '../harness/api-client.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { findCounted, findIssue } from '../harness/find-event.ts';
import { openAsOwner, sharedErrata } from '../harness/shared-errata.ts';

test('an error in a page of the app itself comes to errata-self, through the tunnel of the same origin', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const errata = sharedErrata();
  const api = createApiClient(errata.url, await errata.token());
  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  await page.goto(`${errata.url}/main/issues`);
  const [request] = await Promise.all([
    page.waitForRequest(
      (one) => one.url().includes('/monitoring') && (one.postData() ?? '').includes('tunnel journey'),
      { timeout: 20_000 },
    ),
    page.evaluate(() => {
      setTimeout(() => {
        throw new Error('thrown by the tunnel journey');
      });
    }),
  ]);
  const target = new URL(request.url());
  expect(target.origin).toBe(errata.url);
  expect(target.searchParams.get('o')).toMatch(/^\d+$/);
  expect(target.searchParams.get('p')).toMatch(/^\d+$/);
  expect((await request.response())?.status()).toBe(200);
  const issue = await findIssue(api, 'errata-self', (one) => one.title.includes('tunnel journey'), 5000);
  await findCounted(api, issue.id, 1);
});
