import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { scriptWithMap, uploadBundle } from '../../harness/upload-bundle.ts';

const SCOPES = 'org:read,project:read,project:write,project:releases,event:read,event:write,event:admin';
const DEBUG_ID = '0e5b3cd4-18a1-4ab6-a2a0-97dd4d0f3a51';
const SOURCE = [
  "import { byCode } from '../codes';",
  '',
  'export function applyCoupon(cart: Cart, code: string) {',
  '  const coupon = cart.coupons.find(byCode(code));',
  '  return coupon.id;',
  '}',
].join('\n');
/** One mapping: everything in the script is line 5, column 3 of the source. */
const MAP = JSON.stringify({
  version: 3,
  debug_id: DEBUG_ID,
  sources: ['src/checkout/cart.ts'],
  sourcesContent: [SOURCE],
  names: ['applyCoupon'],
  mappings: 'AAIEA',
});

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`source maps in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let release: string;
  let api: ApiClient;
  let token: string;
  let issueHref: string;
  let settings: string;

  beforeAll(async () => {
    const { errata, dsn, ...project } = await makeProject('mapped');
    ({ url } = errata);
    ({ slug } = project);
    token = await errata.token(SCOPES);
    api = createApiClient(url, token);
    release = `team/${slug}@1.0.0`;
    settings = `${url}/main/settings/projects/${slug}`;
    const event = bundledError(release);
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    const { issue } = await findEvent(api, slug, event.event_id);
    issueHref = `${url}/main/issues/${issue.shortId}`;
    browser = await launchChromium();
    page = await signIn(browser, url);
  });
  afterAll(async () => browser?.close());

  const walk = (name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `source-maps-${name}`, steps);

  test('the page of an issue says why its frames show no source, and leads to what to do', async () => {
    await walk('reasons', async () => {
      await page.goto(issueHref);
      await page.getByRole('heading', { name: 'None of the 2 in-app frames shows its source' }).waitFor();
      const reasons = page
        .getByRole('region', { name: /frames? shows? (no|its) source/ })
        .getByRole('listitem');
      expect(await reasons.evaluateAll((all) => all.map((each) => each.getAttribute('data-reason')))).toEqual(
        expect.arrayContaining(['debug_id_not_uploaded', 'release_has_no_files']),
      );
      await reasons.getByText(`The script has the debug ID ${DEBUG_ID}`).waitFor();
      await page.getByText('No source: no file was uploaded with its debug ID').first().waitFor();
      await reasons.getByRole('link', { name: 'How to upload source maps' }).first().click();
      await page.waitForURL('**/source-maps/how-to');
    });
  });

  test('the way to upload is there to copy, for each tool', async () => {
    await walk('how-to', async () => {
      await page.goto(`${settings}/source-maps/how-to`);
      await page
        .getByRole('navigation', { name: 'Build tool' })
        .getByRole('link', { name: 'webpack' })
        .click();
      await page.waitForURL('**/how-to?tool=webpack');
      const configuration = page.getByRole('group', { name: 'configure' });
      await expect.poll(() => configuration.textContent()).toContain('sentryWebpackPlugin');
      expect(await configuration.textContent()).toContain(`project: '${slug}'`);
      expect(await configuration.textContent()).toContain(url);
    });
  });

  test('an upload stands with its files, and taken to stored events they show their source', async () => {
    await walk('uploads', async () => {
      await page.goto(`${settings}/source-maps`);
      await page.getByText('No uploads yet').waitFor();
      await uploadBundle({ url, token, api }, { projects: [slug] }, scriptWithMap(DEBUG_ID, MAP));
      await page.reload();
      const search = page.getByRole('searchbox', { name: 'Search uploads' });
      await search.fill(DEBUG_ID);
      await search.press('Enter');
      await page.waitForURL('**/source-maps?query=**');
      const uploads = page.getByRole('table').getByRole('row');
      expect(await uploads.count()).toBe(2);
      await page.getByRole('link', { name: /^Bundle/ }).click();
      const files = page
        .getByRole('table')
        .getByRole('row')
        .filter({ has: page.getByRole('cell') });
      await expect.poll(() => files.count()).toBe(2);
      expect(await files.allTextContents()).toEqual([
        expect.stringContaining('~/assets/app.js'),
        expect.stringContaining('~/assets/app.js.map'),
      ]);
      await page.getByRole('button', { name: 'Apply to stored events' }).click();
      await page.getByText('1 event of 1 issue now shows source').waitFor({ timeout: APPLIED_WITHIN_MS });

      await page.goto(issueHref);
      const line = page.locator('#stack-trace #crash-frame');
      await line.getByText('return coupon.id;').waitFor();
      expect(await line.textContent()).toContain('src/checkout/cart.ts:5');
      await page.getByRole('heading', { name: '1 of 2 in-app frames shows no source' }).waitFor();
    });
  });

  test('the frames are there as they were sent as well', async () => {
    await walk('as-sent', async () => {
      await page.goto(issueHref);
      await page
        .getByRole('navigation', { name: 'Source version' })
        .getByRole('link', { name: 'As sent' })
        .click();
      await page.waitForURL('**frames=sent**');
      const stack = page.getByRole('region', { name: 'Stack trace' });
      await stack.getByText('assets/app.js:1:10').waitFor();
      expect(await stack.textContent()).not.toContain('cart.ts');
    });
  });

  test('a code mapping leads from a frame to its line in the repository', async () => {
    await walk('repository', async () => {
      const repository = `acme/${slug}`;
      await page.goto(`${url}/main/settings/repositories`);
      await page.getByLabel('Name', { exact: true }).first().fill(repository);
      await page.getByRole('button', { name: 'Add repository' }).click();
      await page.getByRole('listitem').filter({ hasText: repository }).waitFor();

      await page.goto(`${settings}/code-mappings`);
      await page.getByLabel('Stack trace root').fill('src/');
      await page.getByLabel('Source root').fill('web/src/');
      await page.getByLabel('Branch').fill('no branch');
      await page.getByRole('combobox', { name: 'Repository' }).click();
      await page.getByRole('option', { name: repository }).click();
      await page.getByRole('button', { name: 'Add code mapping' }).click();
      await page.getByText('must be a branch name').waitFor();
      await page.getByLabel('Branch').fill('main');
      await page.getByRole('button', { name: 'Add code mapping' }).click();
      await page.getByRole('listitem').filter({ hasText: 'web/src/' }).waitFor();

      await page.goto(issueHref);
      const link = page
        .locator('#stack-trace #crash-frame')
        .getByRole('link', { name: 'Open in repository' });
      expect(await link.getAttribute('href')).toBe(
        `https://github.com/${repository}/blob/main/web/src/checkout/cart.ts#L5`,
      );
    });
  });

  test('a release shows its commits and deploys, and the issue the commit that may have caused it', async () => {
    await walk('release', async () => {
      const commit = {
        id: 'c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00',
        repository: `acme/${slug}`,
        message: 'Apply coupons by their code\n\nAs the shop asked.',
        author_name: 'Ana',
        author_email: 'ana@example.com',
        timestamp: new Date().toISOString(),
        patch_set: [{ path: 'web/src/checkout/cart.ts', type: 'M' }],
      };
      const releases = '/api/0/organizations/main/releases/';
      const path = `${releases}${encodeURIComponent(release)}/`;
      expect((await api.request('PUT', path, { commits: [commit] })).status).toBe(200);
      expect(
        (await api.request('POST', `${path}deploys/`, { environment: 'production', name: 'shop 17' })).status,
      ).toBe(201);

      await page.goto(`${url}/main/releases/${release}?project=${slug}`);
      const parts = page.getByRole('navigation', { name: 'Release views' });
      await parts.getByRole('link', { name: /Commits/ }).click();
      await page.getByRole('link', { name: 'c0ffee0' }).waitFor();
      await page.getByText('Apply coupons by their code').waitFor();
      await parts.getByRole('link', { name: /Deploys/ }).click();
      await page.getByRole('cell', { name: 'shop 17' }).waitFor();
      await parts.getByRole('link', { name: 'Artifacts' }).click();
      await page.getByText('No artifacts for this release').waitFor();
      await page.getByRole('button', { name: 'Archive' }).click();
      await page.getByRole('button', { name: 'Restore' }).waitFor();
      const listed = page.getByRole('cell', { name: release });
      await page.goto(`${url}/main/releases?project=${slug}`);
      await page.getByRole('link', { name: 'Archived' }).waitFor();
      expect(await listed.count()).toBe(0);
      await page.getByRole('link', { name: 'Archived' }).click();
      await listed.getByRole('link').click();
      await page.getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('button', { name: 'Archive' }).waitFor();

      await page.goto(issueHref);
      const changed = page.locator('#first-last-seen');
      await changed.getByText('Suspect commit').waitFor();
      expect(await changed.textContent()).toContain('Apply coupons by their code');
      expect(await changed.textContent()).toContain('web/src/checkout/cart.ts');
    });
  });

  test('an upload is deleted after a question', async () => {
    await walk('delete', async () => {
      await page.goto(`${settings}/source-maps`);
      await page.getByRole('button', { name: /^Delete bundle/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText('No uploads yet').waitFor();
    });
  });
});

/** The job looks for work every few seconds. */
const APPLIED_WITHIN_MS = 30_000;

/** As a browser sends it from bundles: one of them has a debug id. */
function bundledError(release: string) {
  const script = 'https://shop.example/assets/app.js';
  const vendor = 'https://shop.example/assets/vendor.js';
  return {
    event_id: newEventId(),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    release,
    exception: {
      values: [
        {
          type: 'TypeError',
          value: "Cannot read properties of undefined (reading 'id')",
          stacktrace: {
            frames: [
              {
                function: 'o',
                abs_path: vendor,
                filename: '/assets/vendor.js',
                lineno: 1,
                colno: 4_711,
                in_app: true,
              },
              {
                function: 'a',
                abs_path: script,
                filename: '/assets/app.js',
                lineno: 1,
                colno: 10,
                in_app: true,
              },
            ],
          },
        },
      ],
    },
    debug_meta: { images: [{ type: 'sourcemap', code_file: script, debug_id: DEBUG_ID }] },
  };
}
