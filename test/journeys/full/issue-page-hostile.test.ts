import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeDeepEvent, makeScriptEvent, makeWideEvent } from '../../harness/hostile-event.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

const DOCUMENT_BYTES_MAX = 1_500_000;
/** Of all its markup: what a page leaves out for its size is there on demand. */
const ELEMENTS_MAX = 12_000;

const MAKERS = { script: makeScriptEvent, deep: makeDeepEvent, wide: makeWideEvent };
type Kind = keyof typeof MAKERS;

let url: string;
const issues = new Map<Kind, string>();

beforeAll(async () => {
  if (findChromium() === null) return;
  const { errata, api, slug, dsn: dsnText } = await makeProject('hostile');
  url = errata.url;
  const dsn = parseDsn(dsnText);
  for (const [kind, make] of Object.entries(MAKERS)) {
    const event = make(kind);
    expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
    issues.set(kind as Kind, (await findEvent(api, slug, event.event_id, 20_000)).issue.shortId);
  }
});

/** Walks through pages of hostile events: nothing of theirs runs, nothing is asked of anybody else. */
async function walk(name: string, steps: (page: Page) => Promise<void>): Promise<void> {
  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on('dialog', (dialog) => problems.push(`dialog ${dialog.message()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:')) problems.push(request.url());
  });
  await keepingScreenshot(page, name, () => steps(page));
  expect(problems).toEqual([]);
}

async function expectCalm(page: Page): Promise<void> {
  const ran = await page.evaluate(() => (window as unknown as { __ran?: number }).__ran);
  expect(ran).toBeUndefined();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

const VIEWS = [
  '?stack=all',
  '?stack=raw',
  '/events',
  '/tags',
  '/tags?key=t0',
  '/attachments',
  '/feedback',
  '/activity',
  '/similar',
  '/grouping',
];

describe('the page of a hostile event', () => {
  test.each(Object.keys(MAKERS) as Kind[])('%s stays small and calm', async (kind) => {
    if (findChromium() === null) return;
    await walk(`issue-hostile-${kind}`, async (page) => {
      await page.goto(`${url}/main/issues/${issues.get(kind)}`);
      const { bytes, elements } = await page.evaluate(() => ({
        bytes: (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).decodedBodySize,
        elements: document.querySelectorAll('*').length,
      }));
      expect(bytes).toBeLessThan(DOCUMENT_BYTES_MAX);
      expect(elements).toBeLessThan(ELEMENTS_MAX);
      await expectCalm(page);
      await page.setViewportSize({ width: 360, height: 780 });
      await expectCalm(page);
    });
  });

  test('scripts in every field are text on every view', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-hostile-views', async (page) => {
      const base = `${url}/main/issues/${issues.get('script')}`;
      for (const view of VIEWS) {
        const answer = await page.goto(`${base}${view}`);
        expect(answer?.status(), view).toBe(200);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await expectCalm(page);
      }
      for (const link of await page.goto(base).then(() => page.locator('main a[href]').all())) {
        expect(await link.getAttribute('href')).not.toMatch(/^(?:javascript|data):/i);
      }
      for (const part of ['json', 'text', 'curl', 'markdown', 'value?at=extra']) {
        const answer = await page.request.get(`${base}/events/latest/${part}`);
        expect(answer.status(), part).toBe(200);
        expect(answer.headers()['content-type'], part).toMatch(/^(?:text\/plain|application\/json)/);
        expect(answer.headers()['x-content-type-options']).toBe('nosniff');
      }
    });
  });

  test('what the page leaves out is there on demand', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-hostile-late', async (page) => {
      await page.goto(`${url}/main/issues/${issues.get('deep')}`);
      await hydrated(page);
      const first = page.locator('#exception-39');
      await first.getByText('f249', { exact: true }).waitFor();
      expect(await first.getByText('f0', { exact: true }).count()).toBe(0);
      await first.getByRole('button', { name: /^Show 150 more rows/ }).click();
      await first.getByText('f0', { exact: true }).waitFor();
      expect(await first.getByText('f1', { exact: true }).count()).toBe(1);
      const last = page.locator('#exception-0');
      await last.getByRole('button', { name: /^Show 250 more rows/ }).click();
      await last.getByText('f7', { exact: true }).waitFor();

      await page.goto(`${url}/main/issues/${issues.get('wide')}`);
      await hydrated(page);
      await page
        .locator('#modules')
        .getByRole('button', { name: /entries as JSON/ })
        .click();
      await page.locator('#modules').getByText('"module-3999"').waitFor();
      const extra = page.locator('#extra');
      await extra
        .getByRole('button', { name: /^Show all/ })
        .first()
        .click();
      await until('the whole of a long text', () =>
        extra.evaluate((element) => (element.textContent ?? '').length > 15_000),
      );
    });
  });

  test('what is asked for is read of this event only', async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    await walk('issue-hostile-asked', async (page) => {
      const base = `${url}/main/issues/${issues.get('wide')}/events`;
      const ask = async (path: string) => (await page.request.get(`${base}/${path}`)).status();
      expect(await ask('latest/value?at=constructor')).toBe(404);
      expect(await ask('latest/value?at=__proto__&at=x')).toBe(404);
      expect(await ask('latest/frames?of=exception.99')).toBe(404);
      expect(await ask('latest/frames?of=exception.0&from=-1')).toBe(404);
      expect(await ask('latest/attachments/nothing')).toBe(404);
      expect(await ask('latest/curl')).toBe(404);
      expect(await ask('nothing/json')).toBe(404);
      const signedOut = await fetch(`${base}/latest/markdown`, { redirect: 'manual' });
      expect(signedOut.status).toBe(401);
    });
  });
});
