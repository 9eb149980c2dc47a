import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeRichEvent, richEnvelopes } from '../../harness/rich-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { until } from '../../harness/until.ts';

const VALUES = 7;

let url: string;
let base: string;
let emptyBase: string;
let eventId: string;

beforeAll(async () => {
  if (findChromium() === null) return;
  const { errata, api, slug, dsn: dsnText } = await makeProject('views');
  const dsn = parseDsn(dsnText);
  url = errata.url;
  for (let index = 0; index < VALUES; index++) {
    const event = makeRichEvent('views', {
      tags: { shard: `s${index}`, plan: 'pro' },
      user: { id: `u${index}` },
    });
    await postEnvelope(dsn, eventEnvelope(event));
  }
  const event = makeRichEvent('views', { tags: { shard: 's0', plan: 'free' } });
  for (const envelope of richEnvelopes(event)) await postEnvelope(dsn, envelope);
  const bare = makeRichEvent('bare', { tags: {} });
  await postEnvelope(dsn, eventEnvelope(bare));
  eventId = event.event_id;
  base = `${url}/main/issues/${(await findEvent(api, slug, eventId, 20_000)).issue.shortId}`;
  emptyBase = `${url}/main/issues/${(await findEvent(api, slug, bare.event_id, 20_000)).issue.shortId}`;
});

async function walk(name: string, steps: (page: Page) => Promise<void>): Promise<void> {
  await using browser = await launchChromium();
  const page = await signIn(browser, url);
  await keepingScreenshot(page, name, () => steps(page));
}

test('views lead to each other and say of which issue they are', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  await walk('views-all', async (page) => {
    await page.goto(base);
    const views = page.getByRole('navigation', { name: 'Issue views' });
    for (const name of ['Events', 'Tags', 'Attachments', 'Feedback', 'Activity', 'Similar', 'Grouping']) {
      await views.getByRole('link', { name }).click();
      await views.locator('[aria-current="page"]', { hasText: name }).waitFor();
      await page.getByRole('heading', { level: 1, name: /Cannot read properties/ }).waitFor();
    }
    await views.getByRole('link', { name: 'Overview' }).click();
    await page.locator('#stack-trace').waitFor();
  });
});

test('tags: every key with values, shares, the others and when they were seen', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  await walk('views-tags', async (page) => {
    await page.goto(`${base}/tags`);
    const shard = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^shard/ }) });
    await shard.getByText('7 values').waitFor();
    await shard.getByRole('link', { name: /^s0 2 25%/ }).waitFor();
    await shard.getByText('Other: 2 values').waitFor();
    await shard.getByRole('heading').getByRole('link', { name: 'shard' }).click();
    const table = page.getByRole('group', { name: 'Values of shard' });
    await table.getByRole('row').nth(VALUES).waitFor();
    expect(await table.getByRole('row').nth(1).textContent()).toMatch(/^s0 25%2(?:.* ago|just now){2}$/);
    await table.getByRole('link', { name: /^s0/ }).click();
    await page.waitForURL(/query=shard%3As0/);
    const rows = page.getByRole('group', { name: /^Events of/ }).locator('tbody tr');
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    await page.goto(`${base}/tags?key=nothing`);
    await page.getByText('No events in this time range have nothing').waitFor();
    await page.getByRole('link', { name: 'All tags' }).click();
    await shard.waitFor();
  });
});

test('on a phone nothing begins with a sign that leads nowhere, wraps or leaves its card', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  await walk('views-phone', async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${base}/tags`);
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' }).locator('li:visible');
    await expect.poll(() => crumbs.count()).toBe(2);
    expect(await crumbs.first().locator('svg:visible').count()).toBe(0);
    expect(await crumbs.last().locator('svg:visible').count()).toBe(1);
    const seen = page.getByTitle('First and last seen').first();
    await seen.waitFor();
    expect((await seen.boundingBox())?.height).toBeLessThan(24);

    await page.goto(`${url}/account/tokens`);
    const labels = page.locator('label[for^="scope-"]');
    await labels.nth(10).waitFor();
    const card = await page.locator('#new-token').boundingBox();
    for (const label of await labels.all()) {
      const box = await label.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThan((card?.x ?? 0) + (card?.width ?? 0));
    }
  });
});

test('events are searched, and a search that cannot be made says where it breaks', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  await walk('views-events', async (page) => {
    await page.goto(`${base}/events`);
    const rows = page.getByRole('group', { name: /^Events of/ }).locator('tbody tr');
    await rows.nth(VALUES).waitFor();
    const search = page.getByRole('combobox').first();
    await until('the key to reach the search', async () => {
      await page.keyboard.press('/');
      return search.evaluate((element) => element === document.activeElement);
    });
    await search.fill('plan:free');
    await search.press('Enter');
    await page.waitForURL(/query=plan%3Afree/);
    await rows.getByText(eventId.slice(0, 8)).waitFor();
    expect(await rows.count()).toBe(1);
    await page.goto(`${base}/events?query=plan%3Anone`);
    await page.getByText('No matching events').waitFor();
    await page.getByRole('link', { name: 'Show all stored events' }).click();
    await rows.nth(VALUES).waitFor();
    await page.goto(`${base}/events?query=((`);
    await page.getByText(/parenthesis at character 2/).waitFor();
    await page.goto(`${base}/events?cursor=nonsense`);
    await rows.nth(VALUES).waitFor();
  });
});

test('attachments are a gallery and a table, by event', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  await walk('views-attachments', async (page) => {
    await page.goto(`${base}/attachments`);
    await page.getByRole('list', { name: 'Screenshots' }).getByText('screenshot.png').waitFor();
    const table = page.getByRole('group', { name: 'Attachments' });
    expect(await table.locator('tbody tr').count()).toBe(3);
    const row = table.getByRole('row').filter({ hasText: 'server.log' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      row.getByRole('link', { name: 'server.log' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('server.log');
    await row.getByRole('link', { name: eventId.slice(0, 8) }).click();
    await page.locator('#attachments').getByText('screenshot.png').waitFor();
    await page.goto(`${emptyBase}/attachments`);
    await page.getByText('No matching attachments').waitFor();
  });
});

test('feedback leads to the event that it is about', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  await walk('views-feedback', async (page) => {
    await page.goto(`${base}/feedback`);
    await page.getByText('The coupon button did nothing.').waitFor();
    await page.getByRole('link', { name: 'View event' }).click();
    await page.waitForURL(new RegExp(`/events/${eventId}$`));
    await page.goto(`${emptyBase}/feedback`);
    await page.getByText('No matching feedback').waitFor();
  });
});
