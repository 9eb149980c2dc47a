import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { hydrated } from '../harness/hydrated.ts';
import {
  breadcrumb,
  deadClick,
  element,
  mouseMove,
  replayEnvelope,
  request,
  snapshot,
  textNode,
  windowSize,
} from '../harness/sample-replay.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

const hasBrowser = findChromium() !== null;
const SECOND_MS = 1_000;

describe.skipIf(!hasBrowser)(`a replay in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let issuePage: string;
  const replayId = newEventId();
  const errorId = newEventId();

  beforeAll(async () => {
    const { errata, api, dsn, ...project } = await makeProject('replayed');
    ({ url } = errata);
    ({ slug } = project);
    const startedAt = Date.now() - 120_000;
    const at = (seconds: number) => startedAt + seconds * SECOND_MS;
    const error = {
      event_id: errorId,
      timestamp: at(42) / SECOND_MS,
      platform: 'javascript',
      exception: { values: [{ type: 'TypeError', value: 'total of nothing' }] },
      contexts: { replay: { replay_id: replayId } },
    };
    const changed = {
      source: 0,
      removes: [],
      adds: [],
      attributes: [],
      texts: [{ id: 501, value: 'Failed' }],
    };
    const segments = [
      {
        endedAt: at(5),
        events: [
          windowSize(at(0)),
          snapshot(at(0), [], [element('h1', {}, { ...textNode('Total: 12'), id: 501 })]),
          mouseMove(at(1), 100, 100),
          deadClick(at(3), 6),
        ],
      },
      {
        endedAt: at(60),
        events: [
          mouseMove(at(40), 300, 200),
          request(at(41), 'https://shop.example/api/cart', 500),
          breadcrumb(at(41), { category: 'console', level: 'warning', message: 'the cart is empty' }),
          { type: 3, timestamp: at(42), data: changed },
          mouseMove(at(60), 10, 10),
        ],
      },
    ];
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(error))).status).toBe(200);
    for (const [segmentId, segment] of segments.entries()) {
      const envelope = replayEnvelope({
        replayId,
        segmentId,
        startedAt,
        ...segment,
        event: { user: { email: 'ada@example.com' }, error_ids: segmentId === 1 ? [errorId] : [] },
      });
      expect((await postEnvelope(parseDsn(dsn), envelope)).status).toBe(200);
    }
    const { issue } = await findEvent(api, slug, errorId);
    issuePage = `${url}/main/issues/${issue.shortId}/events/${errorId}`;
    await until('the whole replay is stored', async () => {
      const { body } = await api.request('GET', `/api/0/organizations/main/replays/${replayId}/`);
      return (body as { data?: { count_segments: number } }).data?.count_segments === 2;
    });
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  const recorded = () =>
    page.frameLocator('iframe[title="Recording"]').frameLocator('iframe').locator('h1').textContent();
  const clock = () => page.getByRole('slider', { name: 'Time in the replay' }).inputValue().then(Number);
  const tab = (name: RegExp) => page.getByRole('tab', { name }).click();

  test('is found in the list, plays, and what happened leads to its moment', async () => {
    await keepingScreenshot(page, 'replay', async () => {
      await page.goto(`${url}/main/replays?project=${slug}&with=rageClicks&query=ada`);
      const row = page.getByRole('row', { name: /ada@example.com/ });
      await row.waitFor();
      expect(await row.getByRole('cell').allTextContents()).toEqual(
        expect.arrayContaining(['1:00', '1', '1', '1', '1']),
      );
      await row.getByRole('link', { name: 'ada@example.com' }).click();
      await expect.poll(recorded, { timeout: 10_000 }).toBe('Total: 12');
      await hydrated(page);

      await page.keyboard.press('Space');
      await expect.poll(clock).toBeGreaterThan(500);
      // Nobody did anything from the 3rd to the 40th second.
      await expect.poll(clock, { timeout: 10_000 }).toBeGreaterThan(38_000);
      await page.getByRole('button', { name: 'Pause' }).click();

      await tab(/Console/);
      await page.getByText('the cart is empty').waitFor();
      await tab(/Network/);
      await page.getByText('/api/cart shop.example').waitFor();
      await tab(/Errors/);
      await page.getByRole('button', { name: /^Go to 0:42/ }).click();
      await expect.poll(clock).toBe(42_000);
      await expect.poll(recorded).toBe('Failed');
      await page.keyboard.press('ArrowLeft');
      await expect.poll(clock).toBe(37_000);
      await expect.poll(recorded).toBe('Total: 12');
    });
  });

  test('is one click away from the error, two seconds before it', async () => {
    await keepingScreenshot(page, 'replay-of-error', async () => {
      await page.goto(issuePage);
      await page.getByRole('list', { name: 'At a glance' }).getByRole('link', { name: 'Replay' }).click();
      await expect.poll(recorded, { timeout: 10_000 }).toBe('Total: 12');
      await expect.poll(clock).toBe(40_000);
    });
  });

  test('is deleted with its recording', async () => {
    await keepingScreenshot(page, 'replay-deleted', async () => {
      await page.goto(`${url}/main/replays/${replayId}`);
      await hydrated(page);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Replay deleted').waitFor();
      await page.waitForURL(`${url}/main/replays`);
      const answer = await page.request.get(`${url}/main/replays/${replayId}/recording`);
      expect(answer.status()).toBe(404);
    });
  });
});
