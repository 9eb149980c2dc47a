import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { buildEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { makeProject } from '../harness/shared-errata.ts';
import { signIn } from '../harness/sign-in.ts';

const KIB = 1024;
/** Compressed script that a page names in its document, which is what it takes to answer to its reader. */
const FIRST_LOAD_BYTES_MAX = 190 * KIB;
/** All script that any page loads by itself, the error reporter included. */
const SCRIPT_BYTES_MAX = 230 * KIB;

let browser: Browser;
let page: Page;
let url: string;
let paths: { heart: string[]; others: string[] };

beforeAll(async () => {
  if (findChromium() === null) return;
  const { errata, slug, dsn, api } = await makeProject('given-weight');
  url = errata.url;
  const event = makeJavascriptError({ issue: 9_400, bytes: 20_000 });
  const sent = buildEnvelope({ event_id: event.event_id }, [
    { type: 'event', payload: JSON.stringify(event) },
  ]);
  expect((await postEnvelope(parseDsn(dsn), sent)).status).toBe(200);
  const { issue } = await findEvent(api, slug, event.event_id, 10_000);
  const issuePath = `/main/issues/${issue.shortId}`;
  paths = {
    heart: [`/main/issues?project=${slug}`, issuePath],
    others: [
      ...['events', 'tags', 'activity', 'grouping', 'similar'].map((view) => `${issuePath}/${view}`),
      '/main/projects',
      '/main/projects/new',
      `/main/projects/${slug}`,
      `/main/projects/${slug}/getting-started`,
      '/main/stats',
      '/main/settings',
      ...['teams', 'quotas', 'storage', 'privacy', 'sharing'].map((part) => `/main/settings/${part}`),
      `/main/settings/projects/${slug}`,
      ...['keys', 'filters', 'privacy', 'grouping', 'ownership', 'rate-limits'].map(
        (part) => `/main/settings/projects/${slug}/${part}`,
      ),
    ],
  };
  browser = await launchChromium();
  page = await signIn(browser, url);
});
afterAll(async () => browser?.close());

/** Compressed size of each script that the document names; scripts for old browsers only are left out. */
async function weighDocument(path: string): Promise<number> {
  const html = await (await page.request.get(`${url}${path}`)).text();
  const tags = [...html.matchAll(/<script\b[^>]*\bsrc="([^"]+)"[^>]*>/g)];
  const files = new Set(tags.filter(([tag]) => !/\bnomodule\b/i.test(tag)).map(([, file]) => file ?? ''));
  return weigh([...files].map((file) => new URL(file, url).href));
}

async function weigh(addresses: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const address of addresses) bytes += gzipSync(await (await page.request.get(address)).body()).length;
  return bytes;
}

/** Compressed size of all scripts that the page loads until nothing more comes. */
async function weighPage(path: string): Promise<number> {
  const scripts = new Set<string>();
  const note = (request: { resourceType(): string; url(): string }) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  };
  page.on('request', note);
  await page.goto(`${url}${path}`);
  await page.waitForFunction(() => '__SENTRY__' in window, undefined, { timeout: 15_000 });
  page.off('request', note);
  return weigh(scripts);
}

const inKib = (bytes: number): number => Math.round(bytes / KIB);

test('the stream and the issue answer to their reader after 190 KB of script', async (context) => {
  if (!browser) context.skip(NO_CHROMIUM);
  for (const path of paths.heart) {
    const bytes = await weighDocument(path);
    expect(bytes, `${path} names ${inKib(bytes)} KB of script`).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
  }
});

test('no page loads more than 230 KB of script, error reporter included', async (context) => {
  if (!browser) context.skip(NO_CHROMIUM);
  const weights: Record<string, number> = {};
  for (const path of [...paths.heart, ...paths.others]) weights[path] = await weighPage(path);
  const tooHeavy = Object.entries(weights).filter(([, bytes]) => bytes > SCRIPT_BYTES_MAX);
  expect(tooHeavy.map(([path, bytes]) => `${path}: ${inKib(bytes)} KB`)).toEqual([]);
});
