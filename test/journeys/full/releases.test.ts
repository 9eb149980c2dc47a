import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { buildEnvelope, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { until } from '../../harness/until.ts';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`releases in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  /** A version with everything that an address could get wrong. */
  let odd: string;
  let healthy: string;
  let older: string;

  beforeAll(async () => {
    const { errata, api, dsn, ...project } = await makeProject('shipped');
    ({ url } = errata);
    ({ slug } = project);
    odd = `team/${slug}@2.0.0+7 100%`;
    older = `${slug}@1.9.0`;
    healthy = `${slug}@1.10.0`;
    const target = parseDsn(dsn);
    for (const [issue, release, environment] of [
      [1, older, 'production'],
      [1, odd, 'production'],
      [2, odd, 'staging'],
    ] as const) {
      const event = { ...makeJavascriptError({ issue, bytes: 2_000 }), release, environment };
      expect((await postEnvelope(target, eventEnvelope(event))).status).toBe(200);
      await findEvent(api, slug, event.event_id);
    }
    for (const [release, status] of [
      [healthy, 'exited'],
      [healthy, 'exited'],
      [older, 'crashed'],
      [older, 'exited'],
    ] as const) {
      const session = {
        sid: newEventId(),
        did: newEventId(),
        init: true,
        seq: 0,
        started: new Date(Date.now() - 60_000).toISOString(),
        timestamp: new Date().toISOString(),
        status,
        attrs: { release, environment: 'production' },
      };
      const items = [{ type: 'session', payload: JSON.stringify(session) }];
      expect((await postEnvelope(target, buildEnvelope({}, items))).status).toBe(200);
    }
    await until('the sessions over the API', async () => {
      const answer = await api.get<{ groups: unknown[] }>(
        `/api/0/organizations/main/sessions/?field=sum(session)&groupBy=release&project=${slug}`,
      );
      return answer.groups.length === 2 ? true : null;
    });
    browser = await launchChromium();
    page = await signIn(browser, url);
  });
  afterAll(async () => browser?.close());

  const walk = (name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `releases-${name}`, steps);
  const cells = (row: Locator) => row.getByRole('cell').allTextContents();
  const rows = () =>
    page
      .getByRole('table')
      .getByRole('row')
      .filter({ has: page.getByRole('cell') });

  test('the list has every release of the project, also the one in which nothing failed', async () => {
    await walk('list', async () => {
      await page.goto(`${url}/main/releases?project=${slug}&sort=version`);
      await expect.poll(() => rows().count()).toBe(3);
      const healthyRow = rows().filter({ hasText: '1.10.0' });
      expect(await cells(healthyRow)).toContain('100%');
      expect(await cells(rows().filter({ hasText: '1.9.0' }))).toContain('50.0%');
      // By version, 1.10 comes before 1.9; what is no semantic version comes last.
      const order = await rows().allTextContents();
      expect(order.map((text) => /1\.10\.0|1\.9\.0|2\.0\.0/.exec(text)?.[0])).toEqual([
        '1.10.0',
        '1.9.0',
        '2.0.0',
      ]);
    });
  });

  test('search, environment and order stand in the address', async () => {
    await walk('search', async () => {
      await page.goto(`${url}/main/releases?project=${slug}`);
      await page.getByRole('searchbox', { name: 'Search releases' }).fill('1.10');
      await page.keyboard.press('Enter');
      await page.waitForURL(/query=1\.10/);
      await expect.poll(() => rows().count()).toBe(1);
      await page.goBack();
      await expect.poll(() => rows().count()).toBe(3);
      await page.goto(`${url}/main/releases?project=${slug}&environment=staging`);
      await expect.poll(() => rows().count()).toBe(1);
      await page.goto(`${url}/main/releases?project=${slug}&query=nothing-like-it`);
      await page.getByRole('heading', { name: 'No matching releases' }).waitFor();
    });
  });

  test('a release with an odd name has a page: figures, new issues, environments, the release before', async () => {
    await walk('page', async () => {
      await page.goto(`${url}/main/releases?project=${slug}`);
      await rows().filter({ hasText: '2.0.0' }).getByRole('link').first().click();
      await page.getByRole('heading', { level: 1, name: odd }).waitFor();
      expect(await page.title()).toBe(`${odd} · Errata`);
      const fresh = page.locator('#new-issues');
      expect(await fresh.getByRole('listitem').count()).toBe(1);
      expect(await page.locator('#environments').textContent()).toMatch(
        /production[\s\S]*staging|staging[\s\S]*production/,
      );
      // A reload must find it as well: the address names all of it.
      await page.reload();
      await page.getByRole('heading', { level: 1, name: odd }).waitFor();
      await fresh.getByRole('link', { name: 'View in issues' }).click();
      await page.waitForURL(/\/main\/issues\?/);
      await page.getByRole('button', { name: /^Edit filter firstRelease is / }).waitFor();
      await expect.poll(() => page.locator('main li').filter({ hasText: 'Total' }).count()).toBe(1);
    });
  });

  test('a release is compared with the one before, and leads to its neighbours', async () => {
    await walk('compare', async () => {
      await page.goto(`${url}/main/releases/${healthy}?project=${slug}`);
      await page.getByRole('heading', { name: 'Compared with the previous release' }).waitFor();
      const crashFree = page.locator('#figures').getByRole('row').filter({ hasText: 'Crash-free sessions' });
      expect(await cells(crashFree)).toEqual(['Crash-free sessions', '100%', '50.0%', '+50 points, better']);
      await page.getByRole('link', { name: 'Previous', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: older }).waitFor();
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByRole('heading', { level: 1, name: healthy }).waitFor();
    });
  });

  test('a version that nobody has seen is not found', async () => {
    const answer = await page.goto(`${url}/main/releases/${slug}@9.9.9`);
    expect(answer?.status()).toBe(404);
  });
});
