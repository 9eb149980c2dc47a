import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import {
  buildEnvelope,
  eventEnvelope,
  newEventId,
  newSpanId,
  parseDsn,
  postEnvelope,
} from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`users in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let id: string;
  let shortId: string;

  beforeAll(async () => {
    const { errata, api, dsn, ...project } = await makeProject('people');
    ({ url } = errata);
    ({ slug } = project);
    id = `${slug}/42 ?#%`;
    const target = parseDsn(dsn);
    const post = async (body: Buffer) => expect((await postEnvelope(target, body)).status).toBe(200);
    const user = { id, email: `${slug}@example.com`, name: 'Mia Berger', ip_address: '203.0.113.7' };
    const event = { ...makeJavascriptError({ issue: 1, bytes: 2_000 }), user };
    const other = { ...makeJavascriptError({ issue: 1, bytes: 2_000 }), user: { id: `${slug}-other` } };
    const now = Date.now() / 1_000;
    for (const each of [event, other]) await post(eventEnvelope(each));
    const started = new Date(Date.now() - 60_000).toISOString();
    const items = [
      {
        type: 'session',
        payload: {
          ...{ sid: newEventId(), did: id, init: true, seq: 0, started, status: 'crashed' },
          attrs: { release: `${slug}@1.0.0` },
        },
      },
      {
        type: 'transaction',
        payload: {
          ...{ event_id: newEventId(), type: 'transaction', transaction: '/pay', user },
          ...{ start_timestamp: now - 60, timestamp: now - 59 },
          contexts: { trace: { trace_id: newEventId(), span_id: newSpanId(), op: 'pageload', status: 'ok' } },
          spans: [],
        },
      },
      {
        type: 'feedback',
        payload: {
          ...{ event_id: newEventId(), timestamp: now - 30, platform: 'javascript', user },
          contexts: { feedback: { message: 'It broke', contact_email: user.email, name: 'Mia' } },
        },
      },
    ];
    for (const { type, payload } of items) {
      await post(buildEnvelope({}, [{ type, payload: JSON.stringify(payload) }]));
    }
    await findEvent(api, slug, other.event_id);
    const issues = await api.get<{ shortId: string }[]>(`/api/0/projects/main/${slug}/issues/?query=`);
    shortId = issues[0]?.shortId ?? '';
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  test('the user of an event leads to everything that happened to them', async () => {
    await keepingScreenshot(page, 'users-event', async () => {
      await page.goto(
        `${url}/main/issues/${shortId}/events?query=${encodeURIComponent(`user.email:${slug}@example.com`)}`,
      );
      await page.getByRole('table').getByRole('link').first().click();
      await page.getByRole('link', { name: 'View everything of this user' }).click();
      await page.getByRole('heading', { level: 1, name: 'Mia Berger' }).waitFor();
      const kinds = () =>
        page.getByRole('list', { name: 'Activity' }).getByRole('listitem').allTextContents();
      await expect
        .poll(async () => {
          await page.reload();
          return (await kinds()).map((text) => /^[A-Z][a-z]+/.exec(text)?.[0]).toSorted();
        })
        .toEqual(['Error', 'Feedback', 'Session', 'Transaction']);
      const who = (await page.locator('#who').textContent()) ?? '';
      for (const name of [id, `${slug}@example.com`, '203.0.113.7']) expect(who).toContain(name);
      expect(await page.locator('#sessions').textContent()).toMatch(/1\.0\.0.*11/);
      // One event of the issue is of somebody else.
      expect(await page.locator('#issues').textContent()).toMatch(new RegExp(`${shortId}.*1`));
      await page.getByRole('link', { name: 'Feedback', exact: true }).last().click();
      await page.waitForURL(/show=feedback/);
      await expect.poll(async () => (await kinds()).length).toBe(1);
    });
  });

  test('people are found by part of a name, and suggested while one types', async () => {
    await keepingScreenshot(page, 'users-search', async () => {
      await page.goto(`${url}/main/users?project=${slug}`);
      const rows = page
        .getByRole('table')
        .getByRole('row')
        .filter({ has: page.getByRole('cell') });
      await expect.poll(() => rows.count()).toBe(2);
      const search = page.getByRole('combobox', { name: 'Search users' });
      await search.fill(`${slug}@exam`);
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Mia Berger' }).waitFor();
      await page.goto(`${url}/main/users?project=${slug}&query=other`);
      await expect.poll(() => rows.count()).toBe(1);
      expect((await page.goto(`${url}/main/users/nobody`))?.status()).toBe(404);
      await page.goto(`${url}/main/users/ip%3A198.51.100.1`);
      await page.getByRole('heading', { name: 'Not seen in this time range' }).waitFor();
    });
  });
});
