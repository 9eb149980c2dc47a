import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ApiClient } from '../../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { until } from '../../harness/until.ts';

type LifeOfIssue = {
  status: string;
  substatus: string | null;
  statusDetails: Record<string, unknown>;
  priority: string;
};

async function open(name: string) {
  const { errata, api, slug, dsn } = await makeProject(name);
  const send = async (release: string, issue = 1): Promise<string> => {
    const event = { ...makeJavascriptError({ issue, bytes: 2000 }), release };
    await postEnvelope(parseDsn(dsn), eventEnvelope(event));
    return (await findEvent(api, slug, event.event_id)).event.groupID ?? '';
  };
  return { errata, api, slug, send };
}

const readIssue = (api: ApiClient, id: string) =>
  api.get<LifeOfIssue & { shortId: string }>(`/api/0/organizations/main/issues/${id}/`);

async function waitForState(api: ApiClient, id: string, wanted: Partial<LifeOfIssue>): Promise<void> {
  await until(`an issue that is ${JSON.stringify(wanted)}`, async () => {
    const issue = await readIssue(api, id);
    return Object.entries(wanted).every(
      ([key, value]) => JSON.stringify(issue[key as keyof LifeOfIssue]) === JSON.stringify(value),
    );
  });
}

const header = (page: Page): Locator => page.locator('main header').first();

async function undo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).click();
  await header(page).getByText('New', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'hidden' });
}

async function choose(page: Page, menu: 'More resolve options' | 'More archive options', item: string) {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('an issue is resolved and archived in every way on its page, each says so and can be undone', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, send } = await open('status');
  await send('shop@1.0.0');
  const id = await send('shop@2.0.0');
  await send('backend@9.0.0', 2);
  const { shortId } = await readIssue(api, id);

  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url);
  await keepingScreenshot(page, 'issue-status', async () => {
    await page.goto(`${errata.url}/main/issues/${shortId}`);
    const says = (words: string | RegExp) => header(page).getByText(words).first().waitFor();

    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await says('Resolved');
    await waitForState(api, id, { status: 'resolved', statusDetails: {} });
    await undo(page);

    await choose(page, 'More resolve options', 'In the next release of shop');
    await says('Resolved in the release after shop@2.0.0');
    await undo(page);

    await choose(page, 'More resolve options', 'In the current release of shop');
    await says('Resolved in shop@2.0.0');
    await undo(page);

    await choose(page, 'More resolve options', 'In another release…');
    await expect
      .poll(() => page.getByRole('dialog').getByRole('listitem').allTextContents())
      .toEqual([expect.stringMatching(/^shop@2\.0\.0current/), expect.stringMatching(/^shop@1\.0\.0/)]);
    await page.getByRole('dialog').getByLabel('Release').fill('1.0');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^shop@1\.0\.0/ })
      .click();
    await says('Resolved in shop@1.0.0');
    await waitForState(api, id, { status: 'resolved', statusDetails: { inRelease: 'shop@1.0.0' } });
    await undo(page);

    await choose(page, 'More resolve options', 'In a commit…');
    await page.getByLabel('Repository').fill('shop/web');
    await page.getByLabel('Commit', { exact: true }).fill('9f2c1ab');
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click();
    await says('Resolved in commit 9f2c1ab');
    await undo(page);

    await page.keyboard.press('a');
    await says('Archived until it escalates');
    await undo(page);

    await choose(page, 'More archive options', 'Forever');
    await says('Archived forever');
    await undo(page);

    await choose(page, 'More archive options', 'For 1 day');
    await says(/^Archived until \w{3} \d/);
    await undo(page);

    await choose(page, 'More archive options', 'Until a date…');
    await page.getByLabel('Date and time').fill('2031-05-04T12:30');
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await says(/^Archived until May 4, 2031/);
    await undo(page);

    await choose(page, 'More archive options', 'Until more users…');
    await page.getByLabel('User count').fill('10');
    await page.getByLabel('Counted').click();
    await page.getByRole('option', { name: 'within an hour' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await says('Archived until 10 more users within 1 hour');
    await undo(page);

    await page.getByRole('button', { name: /^Priority/ }).click();
    await page.getByRole('menuitemradio', { name: 'Low' }).click();
    await page.getByText('Priority set to low').waitFor();
    await waitForState(api, id, { priority: 'low' });
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await waitForState(api, id, { priority: 'high' });
    await page
      .getByText(/set the priority to low/)
      .first()
      .waitFor();
  });
});

test('an open page follows: archived until two more events, it comes back as escalating', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, send } = await open('escalates');
  const id = await send('shop@1.0.0');
  const { shortId } = await readIssue(api, id);

  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url);
  await keepingScreenshot(page, 'issue-escalates', async () => {
    await page.goto(`${errata.url}/main/issues/${shortId}`);
    await choose(page, 'More archive options', 'Until more events…');
    await page.getByLabel('Event count').last().fill('2');
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await header(page).getByText('Archived until 2 more events').waitFor();
    await send('shop@1.0.0');
    await waitForState(api, id, { status: 'ignored' });
    await send('shop@1.0.0');
    await header(page).getByText('Escalating', { exact: true }).waitFor();
    await page.getByText('Escalating: 2 more events').waitFor();

    // Resolved in the next release: an event of the former one is expected, one of the next one is not.
    await choose(page, 'More resolve options', 'In the next release');
    await header(page).getByText('Resolved in the release after shop@1.0.0').waitFor();
    await send('shop@1.0.0');
    await waitForState(api, id, { status: 'resolved' });
    await send('shop@1.1.0');
    await header(page).getByText('Regressed', { exact: true }).waitFor();
  });
});

test('in the stream, what is selected is archived with a condition, prioritized and taken back', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, slug, send } = await open('bulk');
  const id = await send('shop@1.0.0');

  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url);
  await keepingScreenshot(page, 'issue-bulk', async () => {
    await page.goto(`${errata.url}/main/issues?project=${slug}`);
    await page
      .getByRole('checkbox', { name: /^Select [A-Z]/ })
      .first()
      .check();
    const bar = page.getByRole('toolbar', { name: 'Selected issues' });
    await bar.getByRole('button', { name: /^Priority/ }).click();
    await page.getByRole('menuitemradio', { name: 'Medium' }).click();
    await waitForState(api, id, { priority: 'medium' });

    await page
      .getByRole('checkbox', { name: /^Select [A-Z]/ })
      .first()
      .check();
    await bar.getByRole('button', { name: 'More archive options' }).click();
    await page.getByRole('menuitem', { name: 'Forever' }).click();
    await page.getByText(/^Archived forever: /).waitFor();
    await waitForState(api, id, { status: 'ignored', substatus: 'archived_forever' });
    await page.getByRole('button', { name: 'Undo' }).first().click();
    await waitForState(api, id, { status: 'unresolved', substatus: 'new' });
  });
});
