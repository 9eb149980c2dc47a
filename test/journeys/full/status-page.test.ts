import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { openAsOwner, sharedErrata } from '../../harness/shared-errata.ts';

const SCOPES = 'org:read,project:read,project:write,alerts:write';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`the status page in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  test('an owner publishes it for everybody who has the address, and takes it back', async () => {
    const errata = sharedErrata();
    const name = `Status ${Math.random().toString(36).slice(2, 8)}`;
    const slug = name.toLowerCase().replace(' ', '-');
    const api = createApiClient(errata.url, await errata.token(SCOPES));
    await errata.project(slug);
    const created = await api.request('POST', `/api/0/projects/main/${slug}/uptime/`, {
      name,
      url: 'https://hidden.invalid/',
      intervalSeconds: 3_600,
      status: 'disabled',
    });
    expect(created.status).toBe(201);
    const open = () => fetch(`${errata.url}/status/${slug}`, { headers: { accept: 'text/html' } });
    const page = await openAsOwner(browser);
    await keepingScreenshot(page, 'status-page', async () => {
      await page.goto(`${errata.url}/main/monitors/uptime/status-page`);
      await page.getByLabel('Title').fill('Shop status');
      await page.getByLabel('Address').fill(slug);
      await page.getByLabel(name).check();
      await page.getByLabel('Publish the page').uncheck();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Status page saved').waitFor();
      expect((await open()).status).toBe(404);

      await page.getByLabel('Publish the page').check();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Published at').waitFor();
      const shown = await open();
      expect(shown.status).toBe(200);
      const html = await shown.text();
      expect(html).toContain(name);
      expect(html).toContain('Shop status');
      expect(html).toMatch(/<meta name="robots" content="[^"]*noindex/);
      expect(html).not.toContain('hidden.invalid');

      await page.getByLabel('Publish the page').uncheck();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByText('Published at').waitFor({ state: 'detached' });
      expect((await open()).status).toBe(404);
    });
    await page.context().close();
  });
});
