import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiClient } from '../harness/api-client.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { buildEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent, findIssue } from '../harness/find-event.ts';
import { hydrated } from '../harness/hydrated.ts';
import { testInFull } from '../harness/is-full.ts';
import { cookiesOf, postSignIn } from '../harness/plain-form.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';
import { signIn } from '../harness/sign-in.ts';
import { type ErrataServer, startErrata } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';

const SERVER_TEXT = 'Application error: a server-side exception has occurred';
const CLIENT_TEXT = 'Application error: a client-side exception has occurred';
/** Asks ClickHouse for sizes, and has nothing else to show. */
const PAGE = '/main/settings/storage';

let errata: ErrataServer;
let browser: Browser | null = null;
beforeAll(async () => {
  errata = await startErrata();
  if (findChromium() !== null) browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await errata?.[Symbol.asyncDispose]();
});

/** Asks for a page while the analytic store is dead, until it fails. */
async function failPage(ask: () => Promise<Response>): Promise<Response> {
  return until(
    'a page that fails without its store',
    async () => {
      process.kill((await errata.pids()).clickhouse, 'SIGKILL');
      const response = await ask();
      return response.status === 500 ? response : null;
    },
    { timeoutMs: 60_000 },
  );
}

test('a page that fails answers 500 with the text and a digest, which is in the log and on the event', async () => {
  const cookie = cookiesOf(await postSignIn(errata.url));
  const failed = await failPage(() => fetch(`${errata.url}${PAGE}`, { headers: { cookie } }));
  const html = await failed.text();
  expect(html).toContain(SERVER_TEXT);
  const digest = /Digest: <code>([\w@-]+)<\/code>/.exec(html)?.[1] ?? '';
  expect(digest).not.toBe('');

  await until('the digest in the log', () => errata.output().includes(`"digest":"${digest}"`));
  const api = createApiClient(errata.url, await errata.token());
  const issue = await findIssue(
    api,
    'errata-self',
    (one) => one.culprit?.includes('storage') ?? false,
    30_000,
  );
  const found = await api.get<{ id: string }[]>(
    `/api/0/projects/main/errata-self/issues/?query=${encodeURIComponent(`digest:${digest}`)}`,
  );
  expect(found.map(({ id }) => id)).toEqual([issue.id]);
});

testInFull('the scripts put the page of the app in its place', async (context) => {
  if (!browser) return context.skip(NO_CHROMIUM);
  const page = await signIn(browser, errata.url);
  await until(
    'a page that fails in the browser',
    async () => {
      process.kill((await errata.pids()).clickhouse, 'SIGKILL');
      return (await page.goto(`${errata.url}${PAGE}`))?.status() === 500;
    },
    { timeoutMs: 60_000 },
  );
  await page.getByText(SERVER_TEXT).waitFor();
  await page.getByRole('button', { name: /try again/i }).waitFor();
  expect(await page.getByText(SERVER_TEXT).count()).toBe(1);
  await page.context().close();
});

test('a page that fails in the browser says so, is reported, and the frame stays', async (context) => {
  if (!browser) return context.skip(NO_CHROMIUM);
  const { errata: shared, api, slug, dsn } = await makeProject('client-error');
  const event = makeJavascriptError({ issue: 9_300, bytes: 1_500 });
  const sent = buildEnvelope({ event_id: event.event_id }, [
    { type: 'event', payload: JSON.stringify(event) },
  ]);
  expect((await postEnvelope(parseDsn(dsn), sent)).status).toBe(200);
  // The project leads to its issues once it has one.
  await findEvent(api, slug, event.event_id);
  const page = await openAsOwner(browser);
  await page.goto(`${shared.url}/main/projects`);
  await page.waitForFunction(() => '__SENTRY__' in window);
  // A link that the page's code has not taken over loads a document, in which nothing is broken.
  const link = `a[href="/main/issues?project=${slug}"]`;
  await hydrated(page, link);
  await Promise.all([
    page.waitForRequest((request) => (request.postData() ?? '').includes('broken by the journey')),
    // Times of the list are written in the zone of the reader.
    page.evaluate((selector) => {
      Intl.DateTimeFormat = (() => {
        throw new Error('broken by the journey');
      }) as unknown as typeof Intl.DateTimeFormat;
      document.querySelector<HTMLAnchorElement>(selector)?.click();
    }, link),
  ]);
  await page.getByText(CLIENT_TEXT).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
  await page.context().close();
});
