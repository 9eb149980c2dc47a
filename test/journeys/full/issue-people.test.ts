import { createHmac, randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { FAKE_TOKEN, fakeGithub } from '../../harness/fake-trackers.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { ADMIN } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

/** Stands wherever an event holds what nobody outside may see. */
const SECRET = 's3cret-of-somebody';

function makeEvent() {
  return {
    event_id: newEventId(),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    user: { id: SECRET, email: `${SECRET}@example.com` },
    request: { url: 'https://shop.example/cart', headers: { 'X-Customer': SECRET } },
    breadcrumbs: { values: [{ message: SECRET }] },
    tags: { customer: SECRET },
    exception: {
      values: [
        {
          type: 'PaymentError',
          value: 'the card was refused',
          stacktrace: {
            frames: [
              {
                function: 'pay',
                filename: 'src/checkout/pay.ts',
                lineno: 84,
                in_app: true,
                context_line: 'return gateway.charge(card);',
                vars: { card: SECRET },
              },
            ],
          },
        },
      ],
    },
  };
}

/** Digest takes decisions within seconds, and each look loads a page. */
const SLOWLY = { timeoutMs: 30_000, everyMs: 500 };

const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

test('people around an issue: teams, owners, comments, links, sharing, and the end of it', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, slug, dsn: dsnText } = await makeProject('people');
  const dsn = parseDsn(dsnText);
  const event = makeEvent();
  await postEnvelope(dsn, eventEnvelope(event));
  const { id, shortId } = (await findEvent(api, slug, event.event_id)).issue;
  const team = `pay-${slug.slice(-6)}`;
  const settings = `${errata.url}/main/settings/projects/${slug}`;

  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url);
  await keepingScreenshot(page, 'issue-people', async () => {
    await page.goto(`${errata.url}/main/settings/teams`);
    await page.getByLabel('New team name').fill(team);
    await page.getByRole('button', { name: 'Create team' }).click();
    const members = page.locator(`#team-${team}`);
    await members.getByLabel(new RegExp(ADMIN.email)).check();
    await members.getByLabel(slug, { exact: true }).check();
    await page.getByText(`Added: ${slug}`).waitFor();
    await page.reload();
    expect(await members.getByLabel(slug, { exact: true }).isChecked()).toBe(true);

    // A rule that cannot be is told at its line, and what was typed stays.
    await page.goto(`${settings}/ownership`);
    const rules = page.getByLabel('Rules, one per line');
    await rules.fill(`path:src/* ${ADMIN.email}\nsrc/checkout/* #nobody`);
    await page.getByRole('button', { name: 'Save ownership rules' }).click();
    await page.getByText('There is no team #nobody').waitFor();
    await page.getByRole('button', { name: 'Line 2' }).click();
    expect(await rules.evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart))).toBe(
      '#nobody',
    );
    await rules.fill(`path:src/* ${ADMIN.email}\nsrc/checkout/* #${team}`);
    await page.getByRole('button', { name: 'Save ownership rules' }).click();
    await page.getByText('Ownership rules saved').waitFor();

    await page.goto(`${errata.url}/main/issues/${shortId}`);
    const people = card(page, 'People');
    // The reader is a viewer from the first look on.
    await people.getByText('Viewed by').waitFor();
    expect(await people.getByText('Not viewed yet').count()).toBe(0);
    await people.getByText('Why this team?').click();
    await people.getByText(`src/checkout/* #${team}`).waitFor();
    await people.getByRole('button', { name: `Assign to #${team}` }).click();
    await page.getByText(`Assigned to #${team}`).first().waitFor();
    await people.getByRole('button', { name: `Assigned to #${team}. Change assignee` }).waitFor();

    const activity = card(page, 'Activity');
    await activity.getByText(`assigned this issue to #${team}`).waitFor();
    await activity.getByLabel('Add a comment').fill(`Looking into it, #${team}`);
    await activity.getByRole('button', { name: 'Comment', exact: true }).click();
    await activity.locator('b', { hasText: `#${team}` }).waitFor();
    await activity.getByRole('button', { name: 'Edit' }).click();
    await activity.getByLabel('Edit comment').fill('It is the gateway');
    await activity.getByRole('button', { name: 'Save' }).click();
    await activity.getByText('It is the gateway').waitFor();
    await activity.getByText('(edited)').waitFor();

    const links = card(page, 'Linked issues');
    await links.getByRole('button', { name: 'Link an issue' }).click();
    await links.getByLabel('URL', { exact: true }).fill('https://tracker.example/browse/PAY-7');
    await links.getByRole('button', { name: 'Link', exact: true }).click();
    expect(await links.getByRole('link').getAttribute('href')).toBe('https://tracker.example/browse/PAY-7');
    await links.getByText('PAY-7 · tracker.example').waitFor();

    await page.reload();
    await until(
      'the look to be stored',
      async () => (await api.get<{ seenBy: object[] }>(`/api/0/issues/${id}/`)).seenBy.length === 1,
      SLOWLY,
    );

    await activity.getByRole('link', { name: 'Show all' }).click();
    await page.getByRole('heading', { level: 2, name: `Activity of ${shortId}` }).waitFor();
    await page.getByText('linked this issue to').waitFor();
    await page.getByRole('link', { name: 'Comments' }).click();
    await page.getByRole('link', { name: 'All activity' }).waitFor();
    await page.getByText('It is the gateway').waitFor();
    expect(await page.getByText('linked this issue to').count()).toBe(0);

    await page.goto(`${errata.url}/main/issues/${shortId}`);
    await menu(page, 'Share publicly…');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create link', exact: true }).click();
    const address = await dialog.getByLabel('Link', { exact: true }).inputValue();
    await expectPublic(browser.newContext(), address, shortId);
    await dialog.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByText('Sharing stopped').waitFor();
    expect((await fetch(address)).status).toBe(404);

    await page.goto(`${errata.url}/main/issues/${shortId}`);
    await menu(page, 'Delete and discard…');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete and discard' }).click();
    await page.waitForURL(`${errata.url}/main/issues`);
    expect((await api.request('GET', `/api/0/organizations/main/issues/${shortId}/`)).status).toBe(404);

    await page.goto(`${settings}/discarded`);
    await page.getByText(shortId, { exact: true }).waitFor();
    await until(
      'an event that is dropped',
      async () => {
        await postEnvelope(dsn, eventEnvelope(makeEvent()));
        const path = `/api/0/organizations/main/stats_v2/?field=sum(quantity)&groupBy=reason&project=${dsn.projectId}&statsPeriod=24h`;
        return JSON.stringify((await api.request('GET', path)).body).includes('discarded-hash');
      },
      SLOWLY,
    );
    await page.getByRole('button', { name: `Restore ${shortId}` }).click();
    await page.getByText('No discarded issues').waitFor();
  });
});

test('a tracker is connected, an issue is made in it, and a commit that says so resolves', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, slug, dsn: dsnText } = await makeProject('tracked');
  const event = makeEvent();
  await postEnvelope(parseDsn(dsnText), eventEnvelope(event));
  const { shortId, id } = (await findEvent(api, slug, event.event_id)).issue;
  const tracker = await fakeGithub();
  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url);
  try {
    await keepingScreenshot(page, 'issue-tracker', async () => {
      await page.goto(`${errata.url}/main/settings/integrations`);
      const connect = card(page, 'Connect a tracker');
      await connect.getByText('GitHub', { exact: true }).click();
      const form = connect.locator('details').filter({ hasText: 'GitHub' }).first();
      await form.getByLabel('URL', { exact: true }).fill(tracker.url);
      await form.getByLabel('Token').fill('wrong');
      await form.getByRole('button', { name: 'Connect' }).click();
      await form.getByText('rejected the token').waitFor();
      await form.getByLabel('Token').fill(FAKE_TOKEN);
      await form.getByRole('button', { name: 'Connect' }).click();
      const [hookUrl, secret] = await Promise.all(
        ['URL', 'Secret'].map((label) => form.getByRole('status', { name: label }).textContent()),
      );

      await page.goto(`${errata.url}/main/issues/${shortId}`);
      const links = card(page, 'Linked issues');
      await links.getByRole('button', { name: 'Create or link an issue' }).click();
      await expect.poll(() => links.getByLabel('Title').inputValue()).toContain('PaymentError');
      expect(await links.getByLabel('Description').inputValue()).toContain(`/main/issues/${shortId}`);
      await links.getByRole('button', { name: 'Create issue', exact: true }).last().click();
      await links.getByRole('link', { name: /acme\/web#1 PaymentError/ }).waitFor();
      await links.getByText('Open', { exact: true }).waitFor();
      expect(tracker.issues).toHaveLength(1);
      expect(tracker.complaints).toEqual([]);

      const repository = { full_name: 'acme/web', default_branch: 'main' };
      const send = async (name: string, body: object) => {
        const text = JSON.stringify({ repository, ...body });
        const answer = await fetch(hookUrl!, {
          method: 'POST',
          body: text,
          headers: {
            'content-type': 'application/json',
            'x-github-event': name,
            'x-github-delivery': randomUUID(),
            'x-hub-signature-256': `sha256=${createHmac('sha256', secret!).update(text).digest('hex')}`,
          },
        });
        expect([answer.status, await answer.json()]).toEqual([200, { result: 'applied' }]);
      };
      await send('issues', {
        action: 'closed',
        issue: { number: 1, title: 'PaymentError', state: 'closed' },
      });
      const commit = { id: 'a'.repeat(40), url: `${tracker.url}/acme/web/commit/a`, author: null };
      await send('push', {
        ref: 'refs/heads/main',
        commits: [{ ...commit, message: `Pay\n\nfixes ${shortId}` }],
      });
      await page.reload();
      await links.getByText('Closed', { exact: true }).waitFor();
      await links.getByRole('link', { name: /acme\/web@aaaaaaaaaa Pay/ }).waitFor();
      const issue = await api.get<{ status: string }>(`/api/0/issues/${id}/`);
      expect(issue.status).toBe('resolved');
    });
  } finally {
    // Other pages of this server would offer it too.
    await page.goto(`${errata.url}/main/settings/integrations`);
    await page.getByRole('button', { name: 'Delete GitHub' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No trackers connected yet').waitFor();
    tracker.close();
  }
});

async function menu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

/** Opens the address as somebody who is signed in nowhere. */
async function expectPublic(
  opening: Promise<import('playwright-core').BrowserContext>,
  address: string,
  shortId: string,
): Promise<void> {
  const answer = await fetch(address);
  expect(answer.status).toBe(200);
  const html = await answer.text();
  expect(html).toContain('noindex');
  for (const hidden of [SECRET, shortId, 'javascript"', 'unresolved']) expect(html).not.toContain(hidden);
  const context = await opening;
  const page = await context.newPage();
  await page.goto(address);
  await page.getByRole('heading', { level: 1, name: 'PaymentError: the card was refused' }).waitFor();
  await page.getByText('return gateway.charge(card);').waitFor();
  await context.close();
}
