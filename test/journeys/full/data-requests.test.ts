import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { faultsOf } from '../../harness/page-soundness.ts';
import { readDownload } from '../../harness/read-download.ts';
import { makeJavascriptError, type SampleEvent } from '../../harness/sample-event.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

/** Files are rewritten, and what the receiver had before is waited for. */
const ERASED_MS_MAX = 4 * 60_000;

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`data requests in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let api: ApiClient;
  let email: string;
  let theirs: SampleEvent;
  let other: SampleEvent;

  beforeAll(async () => {
    const { errata, dsn, ...project } = await makeProject('erased');
    ({ url } = errata);
    ({ slug, api } = project);
    email = `${slug}@example.com`;
    const make = (user: object): SampleEvent => ({
      ...makeJavascriptError({ issue: 1, bytes: 2_000 }),
      user,
    });
    theirs = make({ id: `${slug}-1`, email });
    other = make({ id: `${slug}-2` });
    for (const event of [theirs, other]) {
      expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
      await findEvent(api, slug, event.event_id);
    }
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  test('a person is found from their page, exported and erased, and the certificate says what is gone', {
    timeout: ERASED_MS_MAX + 120_000,
  }, async () => {
    await keepingScreenshot(page, 'data-requests', async () => {
      await page.goto(`${url}/main/users/${encodeURIComponent(`id:${slug}-1`)}`);
      await page.getByRole('link', { name: 'Export or erase…' }).click();
      await page.waitForURL('**/settings/data-requests?**');
      expect(await page.getByLabel('User IDs').inputValue()).toBe(`${slug}-1`);
      expect(await page.getByLabel('Email addresses').inputValue()).toBe(email);
      await page.getByRole('button', { name: 'Find data' }).click();
      await page.getByRole('heading', { level: 1, name: /^Data request #\d+$/ }).waitFor();
      await page.getByText('Ready', { exact: true }).waitFor();
      const found = page.getByRole('group', { name: 'Found' });
      await found.getByRole('row', { name: 'Events 1' }).waitFor();

      await page.getByRole('button', { name: 'Export', exact: true }).click();
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: /^Download export/ }).click();
      expect((await download).suggestedFilename()).toMatch(/\.(gz|zip|tar)$/);

      const request = new URL(page.url()).pathname;
      expect(await faultsOf(page, true)).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: 'light' });
      await page.getByRole('button', { name: 'Erase…' }).click();
      const confirm = page.getByRole('dialog').getByRole('button', { name: 'Erase', exact: true });
      expect(await confirm.isDisabled()).toBe(true);
      await page.getByLabel('Type erase to confirm').fill('erase');
      await confirm.click();
      await page.getByText('Erased', { exact: true }).waitFor({ timeout: ERASED_MS_MAX });
      await page.getByRole('group', { name: 'Removed' }).getByRole('row', { name: 'Events 1' }).waitFor();
      expect(await page.getByText(email).count()).toBe(0);

      const saved = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Download certificate' }).click();
      const certificate = JSON.parse(await readDownload(await saved)) as { removed: { events: number } };
      expect(certificate.removed.events).toBe(1);
      expect(JSON.stringify(certificate)).not.toContain(email);
      await page.goto(`${url}/main/settings/data-requests`);
      await page.getByRole('link', { name: new RegExp(`^#${request.split('/').at(-1)} `) }).waitFor();
    });
    const statusOf = async ({ event_id }: SampleEvent) =>
      (await api.request('GET', `/api/0/projects/main/${slug}/events/${event_id}/`)).status;
    expect([await statusOf(theirs), await statusOf(other)]).toEqual([404, 200]);
  });

  test('a request of nobody says so, and is canceled', async () => {
    await page.goto(`${url}/main/settings/data-requests`);
    await page.getByRole('button', { name: 'Find data' }).click();
    await page.getByRole('alert').first().waitFor();
    await page.getByLabel('Usernames').fill(`${slug}-nobody`);
    await page.getByRole('button', { name: 'Find data' }).click();
    await page.getByText('Nothing is stored of this person.').waitFor();
    await page.getByRole('button', { name: 'Cancel request' }).click();
    await until('the state', async () => (await page.getByText('Canceled', { exact: true }).count()) > 0);
  });
});
