import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient } from '../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { type Builder, type BuiltSite, buildSite, lineOf, makeBuildToken } from '../harness/build-site.ts';
import { exceptionsOf, findEvent } from '../harness/find-event.ts';
import { IS_FULL, testInFull } from '../harness/is-full.ts';
import { runBuildCli } from '../harness/run-build-cli.ts';
import { serveSite } from '../harness/serve-site.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';
import type { ErrataHandle } from '../harness/start-errata.ts';
import { throwInBrowser } from '../harness/throw-in-browser.ts';

const hasBrowser = findChromium() !== null;
const THROWN = 'return item.price.amount;';
/** Only the TypeScript has types. */
const TYPED = 'function readPrice(item: Item): number {';
const READABLE_MS = 20_000;
const BUILD_MS = 300_000;

let errata: ErrataHandle;
let api: ApiClient;
let slug: string;
let dsn: string;
let token: string;
let browser: Browser;

beforeAll(async () => {
  if (!hasBrowser) return;
  ({ errata, api, slug, dsn } = await makeProject('readable'));
  token = await makeBuildToken(errata, slug);
  browser = await launchChromium();
});
afterAll(async () => browser?.close());

/** The built shop throws in a browser; the API and the page tell the line of the TypeScript. */
async function expectOriginalLines(site: BuiltSite, settings: Record<string, string> = {}): Promise<void> {
  await using served = await serveSite(site.folder);
  const sent = await throwInBrowser(browser, served.url, { dsn, ...settings });
  const { event, issue } = await findEvent(api, slug, sent.event_id, READABLE_MS);
  const frame = exceptionsOf(event)[0]?.stacktrace?.frames.at(-1);
  expect(frame, site.output).toMatchObject({
    filename: expect.stringMatching(/shop\/prices\.ts$/),
    lineNo: lineOf('prices.ts', THROWN),
    inApp: true,
  });
  const shown = frame?.context.map(([line, text]) => `${line} ${text}`) ?? [];
  expect(shown).toContain(`${lineOf('prices.ts', THROWN)}   ${THROWN}`);
  expect(shown).toContain(`${lineOf('prices.ts', TYPED)} ${TYPED}`);

  const page = await openAsOwner(browser);
  try {
    await keepingScreenshot(page, `readable-${path.basename(site.folder)}`, async () => {
      await page.goto(`${errata.url}/main/issues/${issue.shortId}/events/${sent.event_id}`);
      const code = page.locator('main').getByText('item.price.amount').first();
      await code.waitFor({ timeout: READABLE_MS });
      expect(await page.locator('main').textContent()).toContain('prices.ts');
    });
  } finally {
    await page.context().close();
  }
}

const sentryCli = (site: BuiltSite, ...args: string[]): Promise<void> =>
  runBuildCli(site, { url: errata.url, token, slug }, args);

// Minutes of building: what they upload, they upload with sentry-cli, which the short run has.
const BUILDERS: readonly Builder[] = IS_FULL ? ['vite', 'webpack', 'rollup', 'esbuild', 'next'] : [];

describe.skipIf(!hasBrowser)(`the TypeScript of a build${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  test.each(BUILDERS)(
    'with the plugin for %s',
    async (builder) => {
      const release = `${slug}-${builder}@1.0.0`;
      using site = await buildSite(builder, { url: errata.url, token, slug, release });
      expect(site.output).not.toMatch(/Error:|failed with/);
      await expectOriginalLines(site);
    },
    BUILD_MS,
  );

  test(
    'with sentry-cli alone and debug ids',
    async () => {
      using site = await buildSite('cli', null);
      await sentryCli(site, 'sourcemaps', 'inject', site.folder);
      await sentryCli(site, 'sourcemaps', 'upload', site.folder);
      await expectOriginalLines(site);
    },
    BUILD_MS,
  );

  testInFull(
    'with sentry-cli alone, by release, dist and address',
    async () => {
      using site = await buildSite('cli', null);
      const release = `${slug}-cli@1.0.0`;
      await sentryCli(
        site,
        ...['sourcemaps', 'upload', '--release', release, '--dist', '7', '--url-prefix', '~/assets'],
        path.join(site.folder, 'assets'),
      );
      await expectOriginalLines(site, { release, dist: '7' });
    },
    BUILD_MS,
  );
});
