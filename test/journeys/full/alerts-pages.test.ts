import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSecretBox } from '#lib/secret-box.ts';
import { readRuntime } from '#main/data-dir.ts';
import { UNSUBSCRIBE_PURPOSE } from '#main/open-stores.ts';
import { createUnsubscribeLinks } from '#product/notifications/unsubscribe-links.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { axeOf } from '../../harness/axe.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { SERVICES } from '../../harness/check-formats.ts';
import { chooseOption } from '../../harness/choose-option.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { startFakeService } from '../../harness/fake-services.ts';
import { findEvent } from '../../harness/find-event.ts';
import { hydrated } from '../../harness/hydrated.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { ADMIN, type ErrataHandle } from '../../harness/start-errata.ts';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`alerts in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let errata: ErrataHandle;
  let api: ApiClient;
  let slug: string;
  let dsn: string;
  /** What the pages threw, and what their policy refused. */
  const complaints: string[] = [];

  beforeAll(async () => {
    ({ errata, slug, dsn } = await makeProject('alerts'));
    api = createApiClient(
      errata.url,
      await errata.token('org:read,project:read,event:read,event:write,alerts:write'),
    );
    const event = { ...makeJavascriptError({ issue: 1, bytes: 2_000 }), tags: { plan: 'gold' } };
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    await findEvent(api, slug, event.event_id);
    browser = await launchChromium();
    page = await openAsOwner(browser);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) complaints.push(message.text());
    });
  });
  afterAll(async () => browser?.close());

  const walk = (name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `alerts-${name}`, async () => {
      await steps();
      expect(complaints).toEqual([]);
    });
  const open = async (place: string) => {
    await page.goto(`${errata.url}${place}`);
    await hydrated(page);
  };

  test('a destination: its secret is shown once, a test says why it is refused, and the log keeps it', async () => {
    await walk('destination', async () => {
      await open('/main/settings/destinations/new?kind=webhook');
      await page.getByLabel('Name', { exact: true }).fill(`Hooks of ${slug}`);
      await page.getByLabel('URL', { exact: true }).fill('ftp://nowhere');
      await page.getByRole('button', { name: 'Add destination' }).click();
      const address = page.getByLabel('URL', { exact: true });
      await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
      expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(`Hooks of ${slug}`);
      // An address of the private network, which nobody has allowed.
      await address.fill('http://127.0.0.2:9/hook');
      await page.getByRole('button', { name: 'Add destination' }).click();
      await page.getByText('Copy this signing secret now').waitFor();
      const shown = page.getByLabel('the signing secret', { exact: true });
      const secret = (await shown.textContent()) ?? '';
      expect(secret).toMatch(/^\S{16,}$/);
      await page.getByRole('link', { name: 'I have copied it' }).click();
      await page.getByRole('heading', { level: 1, name: `Hooks of ${slug}` }).waitFor();
      expect(await page.content()).not.toContain(secret);
      expect(await page.getByLabel('URL', { exact: true }).inputValue()).toBe('');
      await page.getByRole('button', { name: 'Send test notification' }).click();
      await page.getByText('Test notification not delivered').waitFor();
      const log = page.getByRole('list', { name: 'Messages' });
      await log.getByText(/failed.*private network; your Errata administrator can allow it/i).waitFor();
      await page.reload();
      const content = await page.content();
      expect(['127.0.0.2:9/hook', secret].filter((hidden) => content.includes(hidden))).toEqual([]);
    });
  });

  test('a rule is written as sentences, fires, and tells what became of its message', async () => {
    await walk('rule', async () => {
      await open(`/main/alerts/new?project=${slug}`);
      await page.getByRole('link', { name: /^New issues/ }).click();
      await page.getByRole('heading', { name: 'When any of these happen' }).waitFor();
      await hydrated(page);
      await page.getByText('This rule would have triggered').waitFor();

      await page.getByRole('button', { name: 'Add filter' }).click();
      await page.getByRole('menuitem', { name: 'Event tag' }).click();
      await page.getByRole('button', { name: 'Create rule' }).click();
      const tag = page.getByRole('combobox', { name: 'Tag', exact: true });
      await expect.poll(() => tag.evaluate((own) => own === document.activeElement)).toBe(true);
      await page.getByText('Enter a tag.').waitFor();
      await tag.fill('pl');
      await page.getByRole('option', { name: 'plan' }).waitFor();
      await tag.press('ArrowDown');
      await tag.press('Enter');
      expect(await tag.inputValue()).toBe('plan');
      const value = page.getByRole('combobox', { name: 'Value', exact: true });
      await value.press('ArrowDown');
      await page.getByRole('option', { name: 'gold' }).waitFor();
      await value.fill('gold');
      await value.press('Escape');

      // The server of the journeys has no mail server, and the destination has just failed.
      await page.getByText('Email: delivery is failing').waitFor();
      await page.getByRole('button', { name: 'Add action' }).click();
      await page.getByRole('menuitem', { name: `Hooks of ${slug}` }).click();
      await page.getByText(`Hooks of ${slug}: delivery is failing`).waitFor();
      await page.getByRole('button', { name: /^Remove Issue owners/ }).click();
      await page.getByText('Email: delivery is failing').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Send test notification' }).click();
      await page.getByText('Test notification not delivered').waitFor();
      await page.getByLabel('Rule name').fill(`Gold of ${slug}`);
      expect(await seriousViolations()).toEqual([]);
      await page.getByRole('button', { name: 'Create rule' }).click();
      await page.getByRole('heading', { level: 1, name: `Gold of ${slug}` }).waitFor();
      await page.getByText('Not triggered yet').waitFor();

      const event = { ...makeJavascriptError({ issue: 2, bytes: 2_000 }), tags: { plan: 'gold' } };
      expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
      const { issue } = await findEvent(api, slug, event.event_id);
      const history = page.getByRole('list', { name: 'History' });
      await expect
        .poll(
          async () => {
            await page.reload();
            return (await history.count()) > 0 ? await history.textContent() : '';
          },
          { timeout: 20_000, interval: 500 },
        )
        .toMatch(new RegExp(`${issue.shortId}[\\s\\S]*Hooks of ${slug}[\\s\\S]*failed`));

      await hydrated(page);
      await page.getByRole('button', { name: 'Snooze' }).click();
      await page.getByRole('menuitem', { name: 'For 1 hour' }).click();
      await page.getByText('This rule is snoozed').waitFor();
      await page.getByRole('button', { name: 'Unsnooze' }).click();
      await page.getByText('This rule is snoozed').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Disable' }).click();
      await page.getByText('Rule disabled').first().waitFor();
    });
  });

  test('a rule whose messages fail says so until one arrives', async () => {
    const service = await startFakeService(SERVICES.webhook.check, SERVICES.webhook.success);
    await walk('delivery', async () => {
      await open(`/main/alerts?project=${slug}`);
      const rule = page.getByRole('listitem').filter({ hasText: `Gold of ${slug}` });
      await rule.getByText(`Delivery failing: Hooks of ${slug}`).waitFor();
      await rule.getByRole('link', { name: '1 not delivered' }).click();
      await page.getByRole('heading', { name: 'Not delivered in the last 24 hours' }).waitFor();
      expect(await page.getByRole('list', { name: 'History' }).getByText('failed').count()).toBe(1);
      await page.getByRole('button', { name: 'Enable' }).click();
      await page.getByText('Rule enabled').first().waitFor();
      expect(await seriousViolations()).toEqual([]);

      // The rule that every project starts with notifies people, for whom there is no mail server.
      await open(`/main/alerts?project=${slug}`);
      const banner = page.getByRole('alert').filter({ hasText: '2 rules can’t deliver their notifications' });
      await banner.getByText('No mail server is configured').waitFor();
      expect(await seriousViolations()).toEqual([]);
      await banner.getByRole('link', { name: 'Destination settings' }).click();
      await page.getByRole('heading', { level: 1, name: `Hooks of ${slug}` }).waitFor();
      await hydrated(page);
      const { url = '', signingSecret = '' } = SERVICES.webhook.fields(service.url);
      await page.getByLabel('URL', { exact: true }).fill(url);
      await page.getByLabel('Signing secret', { exact: true }).fill(signingSecret);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Destination saved').first().waitFor();
      await page.getByText('Delivery failing', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Send test notification' }).click();
      await page.getByText('Test notification sent').waitFor();
      await page.getByText(/^Delivering, last message/).waitFor();
      expect(service.received.at(-1)?.text).toContain('This is a test');

      await open(`/main/alerts?project=${slug}`);
      await rule.getByText(/^.+: delivering, last message/).waitFor();
      await page.getByRole('alert').filter({ hasText: '1 rule can’t deliver its notifications' }).waitFor();
    });
    await service.close();
  });

  test('thresholds are typed or dragged, and what does not fit is said at its field', async () => {
    await walk('metric', async () => {
      await open(`/main/alerts/new?project=${slug}&template=events`);
      const critical = page.getByLabel('Critical', { exact: true });
      await page.getByText(/^This rule would (probably )?(not )?have triggered/).waitFor();
      const choose = async (name: string, option: string) => {
        await page.getByRole('combobox', { name, exact: true }).click();
        await page.getByRole('option', { name: option, exact: true }).click();
      };
      await choose('Dataset', 'Spans');
      await page.getByText('p95(span.duration) of spans in ms').waitFor();
      await choose('Dataset', 'Errors');
      await choose('Window', '30 minutes');
      await page.getByLabel('Warning', { exact: true }).fill('2000');
      await page.getByRole('button', { name: 'Choose who to notify' }).click();
      await page.getByRole('menuitem').filter({ hasText: ADMIN.email }).click();
      await page.getByRole('button', { name: 'Create rule' }).click();
      await page.getByText('must be below the critical threshold').first().waitFor();
      expect(await critical.inputValue()).toBe('1000');
      await page.getByLabel('Warning', { exact: true }).fill('');

      const line = page.getByTitle('Drag to move: Critical');
      // The preview is asked for anew meanwhile, and its text moves the chart.
      let before = '';
      const isSettled = async () => {
        const last = before;
        before = JSON.stringify(await line.boundingBox());
        return before === last;
      };
      await expect.poll(isSettled, { interval: 1_000, timeout: 15_000 }).toBe(true);
      await line.hover();
      const box = (await line.boundingBox())!;
      await page.mouse.move(box.x + 40, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + 40, box.y + box.height / 2 + 60, { steps: 4 });
      await page.mouse.up();
      await expect.poll(async () => Number(await critical.inputValue())).toBeLessThan(900);
      await page.getByLabel('Rule name').fill(`Events of ${slug}`);
      await page.getByRole('button', { name: 'Create rule' }).click();
      await page.getByRole('heading', { level: 1, name: `Events of ${slug}` }).waitFor();
      await open(`/main/alerts?project=${slug}`);
      expect(await page.getByRole('list', { name: 'Alert rules' }).textContent()).toContain(
        `Events of ${slug}`,
      );
      await page.keyboard.press('g');
      await page.keyboard.press('w');
      await page.getByRole('heading', { level: 1, name: 'Weekly summary' }).waitFor();
      await page.getByRole('heading', { name: /^New issues/ }).waitFor();
    });
  });

  test('mail is chosen by kind and place, and a link of a mail switches it off and on again', async () => {
    await walk('notifications', async () => {
      await open('/account/notifications');
      // Of a project of its own: other journeys share the account.
      const choices = page.locator('#organization-main').getByText(/^Alerts by project/);
      await choices.click();
      const alerts = page.getByRole('combobox', { name: `Alerts of ${slug}` });
      await alerts.click();
      await chooseOption(page, 'Off');
      await page.getByText('Saved').first().waitFor();
      await page.reload();
      await choices.click();
      expect(await alerts.textContent()).toBe('Off');

      const place = `/unsubscribe/${await unsubscribeToken()}`;
      const oneClick = await fetch(`${errata.url}${place}`, {
        method: 'POST',
        body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      });
      expect(oneClick.status).toBe(200);
      await page.goto(`${errata.url}${place}`);
      await page.getByRole('heading', { name: 'These mails are switched off' }).waitFor();
      await page.getByRole('button', { name: /^Undo/ }).click();
      await page.getByRole('heading', { name: 'Stop these mails?' }).waitFor();
      expect((await fetch(`${errata.url}${place}`, { method: 'POST' })).status).toBe(400);
    });
  });

  async function seriousViolations(): Promise<string[]> {
    const { violations } = await axeOf(page).analyze();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }

  /** As mails about the weekly report of the administrator have it. */
  async function unsubscribeToken(): Promise<string> {
    const database = openPostgres(readRuntime(errata.dataDir)!.databaseUrl);
    const { rows } = await database.pool.query<{ user_id: string; organization_id: string }>(
      `SELECT users.id AS user_id, organizations.id AS organization_id
       FROM users, organizations WHERE users.email = $1 AND organizations.slug = 'main'`,
      [ADMIN.email],
    );
    await database.close();
    const secret = readFileSync(path.join(errata.dataDir, 'secret'), 'utf8').trim();
    const links = createUnsubscribeLinks(createSecretBox(secret, UNSUBSCRIBE_PURPOSE), errata.url);
    const address = links.urlFor({
      userId: rows[0]!.user_id,
      organizationId: Number(rows[0]!.organization_id),
      kind: 'weekly_report',
    });
    return address.split('/').at(-1)!;
  }
});
