import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { buildEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';

const hasBrowser = findChromium() !== null;
/** How long a release may look as it was before. */
const SEEN_MS_MAX = 60_000;

describe.skipIf(!hasBrowser)(`release health in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let send: (items: { type: string; payload: string }[]) => Promise<void>;

  beforeAll(async () => {
    const { errata, dsn, ...project } = await makeProject('health');
    ({ url } = errata);
    ({ slug } = project);
    const target = parseDsn(dsn);
    send = async (items) => {
      for (const item of items)
        expect((await postEnvelope(target, buildEnvelope({}, [item]))).status).toBe(200);
    };
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  const session = (release: string, status: string, user: string, part: object = {}) => ({
    type: 'session',
    payload: JSON.stringify({
      sid: newEventId(),
      did: user,
      init: true,
      seq: 0,
      started: new Date(Date.now() - 90_000).toISOString(),
      timestamp: new Date().toISOString(),
      status,
      ...part,
      attrs: { release: `${slug}@${release}`, environment: 'production' },
    }),
  });
  const text = async (id: string) => (await page.locator(`#${id}`).textContent()) ?? '';

  test('a release that crashes shows it within a minute, beside the release before', async () => {
    await keepingScreenshot(page, 'release-health', async () => {
      const sentAt = Date.now();
      await send([
        ...['ada', 'ben', 'cem', 'dag'].map((user) => session('1.0.0', 'exited', user, { duration: 40 })),
        session('2.0.0', 'exited', 'ada', { duration: 10 }),
        session('2.0.0', 'exited', 'ben', { duration: 30, errors: 2 }),
        session('2.0.0', 'crashed', 'cem'),
        session('2.0.0', 'abnormal', 'dag'),
      ]);
      await expect
        .poll(
          async () => {
            await page.goto(`${url}/main/releases/${slug}@2.0.0?project=${slug}`);
            return (await page.locator('#sessions').count()) === 1 ? await text('sessions') : '';
          },
          { timeout: SEEN_MS_MAX },
        )
        .toContain('Healthy1Errored1Abnormal1Unhandled0Crashed1');
      expect(Date.now() - sentAt).toBeLessThan(SEEN_MS_MAX);
      expect(await text('health')).toMatch(/Crash-free sessions75\.0%compared with 100%/);
      expect(await text('health')).toMatch(/Crash-free users75\.0%compared with 100%/);
      expect(await text('sessions')).toMatch(/p50 20 s/);
      expect(await text('adoption')).toContain('Adopted');
      const rates = page.getByRole('slider', { name: /^Crash-free sessions/ });
      expect(await rates.getAttribute('aria-valuetext')).toMatch(/This release/);
      await page.getByRole('link', { name: 'All others' }).click();
      await page.waitForURL(/against=others/);
      await expect.poll(() => text('health')).toContain('All other releases');
      const environment = `${url}/main/releases/${slug}@2.0.0?project=${slug}&environment=nowhere`;
      await page.goto(environment);
      expect(await text('health')).toContain('No sessions of this release');
    });
  });

  test('sessions that a server counts have rates and no durations', async () => {
    await keepingScreenshot(page, 'release-health-server', async () => {
      const started = new Date(Date.now() - 60_000).toISOString();
      await send([
        {
          type: 'sessions',
          payload: JSON.stringify({
            aggregates: [{ started, exited: 995, errored: 4, crashed: 1 }],
            attrs: { release: `${slug}@3.0.0`, environment: 'production' },
          }),
        },
      ]);
      await expect
        .poll(
          async () => {
            await page.goto(`${url}/main/releases/${slug}@3.0.0?project=${slug}`);
            return (await page.locator('#sessions').count()) === 1 ? await text('sessions') : '';
          },
          { timeout: SEEN_MS_MAX },
        )
        .toContain('are counted by the SDK and have no durations');
      expect(await text('health')).toContain('99.90%');
      expect(await text('health')).toContain('No session names a user.');
    });
  });

  test('the list is sorted by how the sessions went', async () => {
    await keepingScreenshot(page, 'release-health-list', async () => {
      await page.goto(`${url}/main/releases?project=${slug}`);
      await page.getByRole('columnheader', { name: 'Crash-free sessions' }).getByRole('link').click();
      await page.waitForURL(/sort=crash_free_sessions/);
      const names = page.getByRole('table').getByRole('row').getByRole('link', { name: /@/ });
      await expect
        .poll(() => names.allTextContents())
        .toEqual(['2.0.0', '3.0.0', '1.0.0'].map((version) => `${slug}@${version}`));
    });
  });
});
