import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { until } from '../../harness/until.ts';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`projects in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let dsn: string;
  let shortId: string;
  let eventId: string;

  beforeAll(async () => {
    const { errata, api, ...project } = await makeProject('shown');
    ({ url } = errata);
    ({ slug, dsn } = project);
    const event = makeJavascriptError({ issue: 1, bytes: 2_000 });
    eventId = event.event_id;
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    const { issue } = await findEvent(api, slug, eventId);
    ({ shortId } = issue);
    browser = await launchChromium();
    page = await signIn(browser, url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  afterAll(async () => browser?.close());

  const walk = (name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `projects-${name}`, steps);

  test('the list shows what each project sent, and copies its DSN', async () => {
    await walk('list', async () => {
      await page.goto(`${url}/main/projects`);
      const row = page.locator('main li').filter({ hasText: slug });
      expect(await row.getByRole('img').getAttribute('aria-label')).toMatch(/^1 event of /);
      await row.getByRole('button', { name: 'DSN' }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(dsn);
      await page.getByRole('link', { name: /My teams/ }).click();
      await page.waitForURL(/teams=mine/);
      await row.waitFor({ state: 'detached' });
    });
  });

  test('the overview tells of events, issues, releases, environments and outcomes', async () => {
    await walk('overview', async () => {
      await page.goto(`${url}/main/projects/${slug}`);
      await page.locator('#top-issues').getByRole('link', { name: shortId }).waitFor();
      expect(await page.locator('#releases').textContent()).toContain('4.11.2');
      expect(await page.locator('#environments').textContent()).toContain('production');
      expect(await page.locator('#ingest').textContent()).toMatch(/Accepted\s*1 /);
    });
  });

  test('an event by its id alone leads to the event within its issue', async () => {
    await page.goto(`${url}/main/projects/${slug}/events/${eventId}`);
    await page.waitForURL(`${url}/main/issues/${shortId}/events/${eventId}`);
    const unknown = await page.goto(`${url}/main/projects/${slug}/events/${'0'.repeat(32)}`);
    expect(unknown?.status()).toBe(404);
  });

  test('another name, slug and platform; then the project is deleted, after its slug was typed', async () => {
    await walk('settings', async () => {
      const renamed = `${slug}-new`;
      await page.goto(`${url}/main/settings/projects/${slug}`);
      const name = page.getByLabel('Name');
      const slugField = page.getByLabel('Slug');
      await slugField.fill('issues');
      await page.getByRole('button', { name: 'Save project' }).click();
      await page.getByText('is reserved').waitFor();
      expect(await slugField.getAttribute('aria-invalid')).toBe('true');
      await name.fill('Web shop');
      await slugField.fill(renamed);
      await page.getByRole('button', { name: 'Save project' }).click();
      await page.waitForURL(`${url}/main/settings/projects/${renamed}`);
      expect(await name.inputValue()).toBe('Web shop');
      // Its issues are still named as they were.
      await page.goto(`${url}/main/issues/${shortId}`);
      await page.getByRole('heading', { level: 1 }).waitFor();

      await page.goto(`${url}/main/settings/projects/${renamed}`);
      await page.getByRole('button', { name: 'Delete project' }).click();
      const dialog = page.getByRole('dialog');
      const sure = dialog.getByRole('button', { name: 'Delete project' });
      expect(await sure.isDisabled()).toBe(true);
      await dialog.getByLabel(`Type ${renamed} to confirm`).fill(renamed);
      await sure.click();
      await page.waitForURL(`${url}/main/projects`);
      expect((await page.goto(`${url}/main/projects/${renamed}`))?.status()).toBe(404);
      expect((await page.goto(`${url}/main/issues/${shortId}`))?.status()).toBe(404);
      const late = eventEnvelope(makeJavascriptError({ issue: 2, bytes: 2_000 }));
      await until(
        'the edge to turn its key away',
        async () => {
          const { status } = await postEnvelope(parseDsn(dsn), late);
          return status === 401 || status === 403 ? true : null;
        },
        { timeoutMs: 15_000 },
      );
    });
  });
});
