import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiClient, ApiIssue } from '../../harness/api-client.ts';
import { axeOf } from '../../harness/axe.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { type Dsn, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findCounted } from '../../harness/find-event.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { until } from '../../harness/until.ts';

const JOB_TIMEOUT_MS = 60_000;
/** Where pictures are kept when somebody wants to look at them; nowhere without. */
const PICTURES = process.env.ERRATA_TEST_PICTURES;

async function send(dsn: Dsn, issue: number, type: string): Promise<string> {
  const sample = makeJavascriptError({ issue, bytes: 2_000 });
  const [exception] = (sample.exception as { values: object[] }).values;
  const event = {
    ...sample,
    event_id: newEventId(),
    exception: { values: [{ ...exception, type }] },
  };
  expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
  return event.event_id;
}

const listIssues = (api: ApiClient, slug: string): Promise<ApiIssue[]> =>
  api.get(`/api/0/projects/main/${slug}/issues/?query=&limit=25`);

describe('merging over the API', () => {
  test('a merge, the redirect, the hashes and an unmerge', async () => {
    const { api, slug, dsn } = await makeProject('merge-api');
    await send(parseDsn(dsn), 1, 'FirstError');
    await send(parseDsn(dsn), 2, 'SecondError');
    await expect.poll(async () => (await listIssues(api, slug)).length, { timeout: 15_000 }).toBe(2);
    const [a, b] = await listIssues(api, slug);
    const merged = await api.request('PUT', `/api/0/projects/main/${slug}/issues/?id=${a!.id}&id=${b!.id}`, {
      merge: 1,
    });
    const { parent, children } = (merged.body as { merge: { parent: string; children: string[] } }).merge;
    expect([parent, ...children].sort()).toEqual([a!.id, b!.id].sort());
    expect(await listIssues(api, slug)).toMatchObject([{ id: parent }]);
    await findCounted(api, parent, 2);
    // The number that is no more leads to the issue that it became part of.
    expect(await api.get(`/api/0/issues/${children[0]}/`)).toMatchObject({ id: parent });

    const hashes = await api.get<{ id: string; latestEvent: object }[]>(`/api/0/issues/${parent}/hashes/`);
    expect(hashes.length).toBeGreaterThanOrEqual(2);
    const counted = await Promise.all(
      (await listIssues(api, slug)).map(({ id }) => api.get<{ id: string }[]>(`/api/0/issues/${id}/hashes/`)),
    );
    const answer = await api.request('DELETE', `/api/0/issues/${parent}/hashes/?id=${counted[0]![0]!.id}`);
    expect(answer.status).toBe(202);
    expect(await listIssues(api, slug)).toHaveLength(2);
  });
});

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`grouping in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let api: ApiClient;
  let dsn: Dsn;

  beforeAll(async () => {
    const project = await makeProject('grouping');
    ({ slug, api } = project);
    url = project.errata.url;
    dsn = parseDsn(project.dsn);
    for (const type of ['PaymentError', 'PaymentTimeout', 'CartError']) await send(dsn, 1, type);
    await send(dsn, 1, 'PaymentError');
    await until('the issues', async () => (await listIssues(api, slug)).length === 3);
    browser = await launchChromium();
    page = await signIn(browser, url);
  });
  afterAll(async () => browser?.close());

  test(
    'rules: an error at its line, a preview, apply to history, progress, undo',
    async () => {
      await keepingScreenshot(page, 'grouping-rules', async () => {
        await page.goto(`${url}/main/settings/projects/${slug}/grouping`);
        const rules = page.getByLabel('Fingerprint rules');
        await rules.fill('error.type:Payment* -> payments\nerror.type without an arrow');
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByRole('button', { name: /^Line 2, character/ }).waitFor();
        await picture(page, 'rules-problem');

        await rules.fill('error.type:Payment* -> payments title="Payments"');
        await page.getByRole('button', { name: 'Preview' }).click();
        await page.getByText('3 issues → 2').waitFor();
        await picture(page, 'rules-preview');

        await page.getByRole('button', { name: 'Apply to history…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Apply these rules to history?' });
        await dialog.getByText('2 issues with 3 events change (1 merge').waitFor();
        await picture(page, 'rules-confirm');
        await dialog.getByRole('button', { name: 'Apply to history' }).click();
        await page.getByRole('heading', { name: /Regrouping stored events|Finishing regrouping/ }).waitFor();
        await picture(page, 'rules-progress');
        // Another page, and back: it runs on its own.
        await page.reload();
        await page.getByRole('button', { name: 'Undo' }).waitFor({ timeout: JOB_TIMEOUT_MS });
        await page
          .getByText('Rules version 1 applied to existing issues: 3 → 2 issues, 3 events regrouped')
          .waitFor();
        await picture(page, 'rules-applied');
        expect((await listIssues(api, slug)).map(({ count, title }) => `${count} ${title}`).sort()).toEqual([
          expect.stringMatching(/^1 CartError/),
          '3 Payments',
        ]);

        await page.getByRole('button', { name: 'Undo' }).click();
        await page.getByRole('heading', { name: 'Undoing the change' }).waitFor();
        const rulesPath = `/api/0/projects/main/${slug}/grouping-rules/`;
        await expect
          .poll(async () => (await api.get<{ change: { state: string } }>(rulesPath)).change.state, {
            timeout: JOB_TIMEOUT_MS,
          })
          .toBe('undone');
        await page.getByText('· undone').waitFor();
        await expect
          .poll(async () => (await listIssues(api, slug)).map(({ count }) => count).sort(), {
            timeout: 15_000,
          })
          .toEqual(['1', '1', '2']);
      });
    },
    3 * JOB_TIMEOUT_MS,
  );

  test('an issue shows what counted, how it differs from another one, and merges with it', async () => {
    await keepingScreenshot(page, 'grouping-issue', async () => {
      const issues = await listIssues(api, slug);
      const [first, second] = [
        issues.find(({ title }) => title.startsWith('PaymentError'))!,
        issues.find(({ title }) => title.startsWith('PaymentTimeout'))!,
      ];
      await page.goto(`${url}/main/issues/${first.shortId}/grouping`);
      await page
        .getByText(/^Grouped by the exception type PaymentError and the in-app stack trace of \d+ frames: /)
        .waitFor();
      expect(await page.getByText('In-app frames').first().isVisible()).toBe(false);
      await page.getByText('Grouping details').click();
      await page.getByText('In-app frames').first().waitFor();
      await page.getByLabel('Issue or event to compare with').fill(second.shortId);
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('Contributing lines that differ', { exact: false }).waitFor();
      await picture(page, 'issue-grouping');

      await send(dsn, 1, 'CardError');
      await until('another similar issue', async () => (await listIssues(api, slug)).length === 4);
      await page.goto(`${url}/main/issues/${first.shortId}/similar`);
      await picture(page, 'issue-similar');
      await hydrated(page);
      const boxes = page.getByRole('checkbox', { name: /^Select / });
      const checked = () => boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked));
      await boxes.first().click();
      await boxes.last().click({ modifiers: ['Shift'] });
      await expect.poll(checked).toEqual([true, true, true]);
      await boxes.first().click({ modifiers: ['Shift'] });
      await expect.poll(checked).toEqual([false, false, false]);
      await page.getByLabel(`Select ${second.shortId}`).check();
      await page.getByRole('button', { name: `Merge into ${first.shortId}` }).click();
      const dialog = page.getByRole('dialog', { name: `Merge 1 issue into ${first.shortId}?` });
      await dialog.getByText('1 issue with 1 event becomes part of', { exact: false }).waitFor();
      await picture(page, 'issue-merge-confirm');
      await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
      await page.getByText(`1 issue merged into ${first.shortId}`).waitFor();
      await page.goto(`${url}/main/issues/${second.shortId}/grouping`);
      await page.waitForURL(`**/issues/${first.shortId}/grouping`);
      await page.getByText('2 issues merged into one').waitFor();
      await picture(page, 'issue-merged');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Change undone').waitFor();
      expect(await listIssues(api, slug)).toHaveLength(4);
    });
  });
});

const LOOKS = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const;

/** Looks at the page as it is now in every look: it is accessible and does not scroll sideways. */
async function picture(page: Page, name: string): Promise<void> {
  for (const look of LOOKS) {
    await page.setViewportSize(look.viewport);
    await page.emulateMedia({ colorScheme: look.colorScheme, reducedMotion: 'reduce' });
    // A frame in the new colors, before they are looked at.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await page.waitForTimeout(200);
    const { violations } = await axeOf(page).analyze();
    const serious = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    expect(serious, `${name} ${look.name}`).toEqual([]);
    const isWide = await page.evaluate(
      () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
    );
    expect(isWide, `${name} ${look.name} scrolls sideways`).toBe(false);
    if (PICTURES) {
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: path.join(PICTURES, `${name}-${look.name}.png`), fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(LOOKS[0].viewport);
}
