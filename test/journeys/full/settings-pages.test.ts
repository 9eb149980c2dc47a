import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeOf } from '../../harness/axe.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { chooseOption } from '../../harness/choose-option.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';

const LOOKS: readonly (BrowserContextOptions & { name: string })[] = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
];

type Place = { path: string; heading: string; title: string };

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`the settings in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let places: readonly Place[];

  beforeAll(async () => {
    const { errata, api, dsn, ...project } = await makeProject('settings');
    ({ url } = errata);
    ({ slug } = project);
    // An event with scrubbed values and with others that could not be used as they came.
    const event = {
      ...makeJavascriptError({ issue: 1, bytes: 2_000 }),
      event_id: newEventId(),
      level: 'loud',
      extra: { password: 'hunter2' },
    };
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    const { issue } = await findEvent(api, slug, event.event_id);
    places = [
      ...settingsOf(slug),
      eventPlace(issue.shortId, event.event_id),
      activityPlace(issue.shortId),
      STATS,
    ];
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  // The matrix of pages looks at each of them once; here they hold more.
  test.each(LOOKS)(
    'every page works and is accessible: $name',
    { timeout: 600_000 },
    async ({ name, ...look }) => {
      const context = await browser.newContext({
        ...look,
        reducedMotion: 'reduce',
        storageState: await page.context().storageState(),
      });
      const own = await context.newPage();
      const said: string[] = [];
      own.on('console', (message) => {
        if (message.type() === 'error') said.push(message.text());
      });
      own.on('pageerror', (error) => said.push(String(error)));
      const found: unknown[] = [];
      for (const { path, heading, title } of places) {
        await own.goto(`${url}${path}`);
        await own.getByRole('heading', { level: 1, name: heading }).waitFor();
        expect(await own.title(), path).toBe(`${title} · Errata`);
        // What comes after the first paint is looked at as well.
        await own.waitForTimeout(300);
        const { violations } = await axeOf(own).analyze();
        const isWide = await own.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        );
        const serious = violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
        found.push(
          ...[...said.splice(0), ...serious, ...(isWide ? ['scrolls sideways'] : [])].map((what) => ({
            path,
            what,
          })),
        );
      }
      expect(found).toEqual([]);
      await context.close();
    },
  );

  test.each([
    ['Settings', () => '/main/settings/members', 'Members'],
    ['Project settings', () => `/main/settings/projects/${slug}/rate-limits`, 'Rate limits'],
    ['Account', () => '/account/passkeys', 'Passkeys'],
  ])('%s have one navigation, which shows all of their pages and where one is', async (name, path, label) => {
    await page.goto(`${url}${path()}`);
    const navigation = page.getByRole('navigation', { name, exact: true });
    expect(await navigation.locator('[aria-current="page"]').allTextContents()).toEqual([label]);
    // Nothing is cut off, and no second navigation is beside it.
    expect(
      await navigation.evaluate(
        ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
          scrollWidth > clientWidth || scrollHeight > clientHeight,
      ),
    ).toBe(false);
    expect(await page.locator('nav:not([aria-label="Main"], [aria-label="Breadcrumb"])').count()).toBe(1);
  });

  test('on a phone the navigation opens above the page, and another page closes it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${url}/main/settings/projects/${slug}/rate-limits`);
    const navigation = page.getByRole('navigation', { name: 'Project settings' });
    const opener = navigation.getByRole('button', { name: 'Project settings Rate limits' });
    expect(await navigation.getByRole('link').count()).toBe(0);
    await opener.focus();
    await page.keyboard.press('Enter');
    expect(await opener.getAttribute('aria-expanded')).toBe('true');
    await navigation.getByRole('link', { name: 'Privacy' }).click();
    await page.getByRole('heading', { level: 1, name: 'Privacy' }).waitFor();
    await navigation.getByRole('button', { name: 'Project settings Privacy', expanded: false }).waitFor();
    expect(await navigation.getByRole('link').count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  test('a form says what is unsaved and what is saved, and asks before unsaved changes are left', async () => {
    await walk('unsaved', async () => {
      const base = `/main/settings/projects/${slug}`;
      await page.goto(`${url}${base}/keys`);
      await page.getByRole('link', { name: 'General', exact: true }).click();
      const name = page.getByLabel('Name', { exact: true });
      const stored = await name.inputValue();
      const unsaved = page.getByText('Unsaved changes', { exact: true });
      await name.fill('Another name');
      await unsaved.waitFor();
      await name.fill(stored);
      await unsaved.waitFor({ state: 'detached' });
      // A select changes without an event of its own.
      await page.getByLabel('Platform').click();
      await chooseOption(page, 'Go');
      await unsaved.waitFor();
      await page.getByRole('button', { name: 'Save project' }).click();
      await page.getByText('Project saved').waitFor();
      expect(await unsaved.count()).toBe(0);

      await name.fill('Another name');
      const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' });
      const stay = async () => {
        await question.getByRole('button', { name: 'Keep editing' }).click();
        await question.waitFor({ state: 'detached' });
        expect([new URL(page.url()).pathname, await name.inputValue()]).toEqual([base, 'Another name']);
      };
      const backgrounds = async () =>
        new Set(
          await page.evaluate(() =>
            [document.documentElement, document.body].map((each) => getComputedStyle(each).backgroundColor),
          ),
        );
      expect((await backgrounds()).size).toBe(1);
      await page.getByRole('link', { name: 'Privacy' }).click();
      // Where the scroll bar was, the document itself is as dark as the page behind the dialog.
      await expect.poll(async () => (await backgrounds()).size).toBe(2);
      await stay();
      await page.locator('h1').click();
      await page.keyboard.press('g');
      await page.keyboard.press('i');
      await stay();
      await page.evaluate(() => history.back());
      await stay();
      await page.evaluate(() => history.back());
      await question.getByRole('button', { name: 'Discard changes' }).click();
      await page.getByRole('heading', { level: 1, name: 'Client keys' }).waitFor();
    });
  });

  test('days to keep', async () => {
    await walk('storage', async () => {
      await page.goto(`${url}/main/settings/storage`);
      const stats = page.getByLabel('Statistics, days');
      const logs = page.getByLabel('Logs, days');
      const standard = await stats.inputValue();
      await stats.fill('395');
      await logs.fill('ten');
      await save('Save retention');
      await expectWrong(logs, 'Enter a whole number');
      expect(await stats.inputValue()).toBe('395');
      await logs.fill('90');
      await save('Save retention', 'Retention saved.');
      await page.reload();
      expect([await stats.inputValue(), await logs.inputValue()]).toEqual(['395', '90']);
      // An emptied field shows at once what it went back to.
      await stats.fill('');
      await save('Save retention', 'Retention saved.');
      await expect.poll(() => stats.inputValue()).toBe(standard);
    });
  });

  test('quotas of the organization', async () => {
    await walk('quotas', async () => {
      await limitsAreKept('/main/settings/quotas');
      // Other journeys share the organization.
      await page.getByLabel('Profiles', { exact: true }).fill('');
      await save('Save limits', 'Limits saved.');
    });
  });

  test('limits and spike protection of a project', async () => {
    await walk('rate-limits', async () => {
      const path = `/main/settings/projects/${slug}/rate-limits`;
      await limitsAreKept(path);
      const threshold = page.getByLabel('Threshold, events per issue per hour');
      await page.getByLabel('Store details for only a sample').uncheck();
      await threshold.fill('few');
      await save('Save spike protection');
      await expectWrong(threshold, /whole number/);
      expect(await page.getByLabel('Store details for only a sample').isChecked()).toBe(false);
      await threshold.fill('2500');
      await save('Save spike protection', 'Spike protection saved.');
      await page.reload();
      expect(await threshold.inputValue()).toBe('2500');
      expect(await page.getByLabel('Store details for only a sample').isChecked()).toBe(false);
    });
  });

  test('client keys', async () => {
    await walk('keys', async () => {
      await page.goto(`${url}/main/settings/projects/${slug}/keys`);
      const limit = page.getByLabel('Maximum errors for Default');
      await limit.fill('1.5');
      await save('Save limit');
      await expectWrong(limit, 'Enter a whole number');
      expect(await limit.inputValue()).toBe('1.5');
      await limit.fill('150');
      await save('Save limit', 'Rate limit of Default saved.');
      const label = page.getByLabel('New key name');
      await label.fill('   ');
      await save('Create key');
      await expectWrong(label, /name|label/i);
      await label.fill('Mobile app');
      await save('Create key');
      await page.getByLabel('Maximum errors for Mobile app').waitFor();
      await page.reload();
      expect(await limit.inputValue()).toBe('150');
      expect(await page.getByLabel('Maximum errors for Mobile app').inputValue()).toBe('');
    });
  });

  test('inbound filters', async () => {
    await walk('filters', async () => {
      await page.goto(`${url}/main/settings/projects/${slug}/filters`);
      const addresses = page.getByLabel('IP addresses');
      await addresses.fill('203.0.113.7\nnowhere');
      await page.getByLabel('Releases').fill('web@1.*');
      await save('Save filters');
      await expectWrong(addresses, 'Line 2');
      await expectNoSeriousViolation();
      expect(await addresses.inputValue()).toBe('203.0.113.7\nnowhere');
      expect(await page.getByLabel('Releases').inputValue()).toBe('web@1.*');
      await addresses.fill('203.0.113.7');
      await save('Save filters', 'Inbound filters saved');
      await page.reload();
      expect(await addresses.inputValue()).toBe('203.0.113.7');
      expect(await page.getByLabel('Releases').inputValue()).toBe('web@1.*');
    });
  });

  test.each(['project', 'organization'])('privacy of the %s', async (owner) => {
    await walk(`privacy-${owner}`, async () => {
      const base = owner === 'project' ? `/main/settings/projects/${slug}` : '/main/settings';
      await page.goto(`${url}${base}/privacy`);
      const safe = page.getByLabel('Safe fields');
      const sensitive = page.getByLabel('Sensitive fields');
      await safe.fill('author\na b.$nope.');
      await sensitive.fill('customer_number');
      await save('Save privacy settings');
      await expectWrong(safe, 'a b.$nope.', { takesFocus: false });
      await expectNoSeriousViolation();
      expect(await safe.inputValue()).toBe('author\na b.$nope.');
      expect(await sensitive.inputValue()).toBe('customer_number');
      await safe.fill('author');
      await save('Save privacy settings', 'Privacy settings saved');
      await page.reload();
      expect([await safe.inputValue(), await sensitive.inputValue()]).toEqual(['author', 'customer_number']);
      // Other journeys share the organization.
      await safe.fill('');
      await sensitive.fill('');
      await save('Save privacy settings', 'Privacy settings saved');
    });
  });

  const walk = (name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `settings-${name}`, steps);

  async function save(button: string, saved?: string): Promise<void> {
    await page.getByRole('button', { name: button, exact: true }).click();
    if (saved) await page.getByText(saved).first().waitFor();
  }

  /** The field is marked, says why, and has the focus. */
  async function expectWrong(
    field: ReturnType<Page['getByLabel']>,
    text: string | RegExp,
    { takesFocus = true } = {},
  ): Promise<void> {
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    const ids = (await field.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
    expect(texts.join(' ')).toMatch(text);
    if (takesFocus)
      await expect.poll(() => field.evaluate((own) => own === document.activeElement)).toBe(true);
  }

  async function expectNoSeriousViolation(): Promise<void> {
    const { violations } = await axeOf(page).analyze();
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(serious.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }

  async function limitsAreKept(path: string): Promise<void> {
    await page.goto(`${url}${path}`);
    const replays = page.getByLabel('Replays', { exact: true });
    const profiles = page.getByLabel('Profiles', { exact: true });
    await replays.fill('-3');
    await profiles.fill('1,000,000');
    await save('Save limits');
    await expectWrong(replays, 'Enter a whole number');
    await page.getByText('Not saved: a limit needs a correction.').waitFor();
    expect([await replays.inputValue(), await profiles.inputValue()]).toEqual(['-3', '1,000,000']);
    await replays.fill('');
    await save('Save limits', 'Limits saved.');
    await page.reload();
    expect([await replays.inputValue(), await profiles.inputValue()]).toEqual(['', '1000000']);
  }
});

const settingsOf = (slug: string): Place[] => {
  const base = `/main/settings/projects/${slug}`;
  return [
    { path: '/main/settings', heading: 'Main settings', title: 'Settings' },
    { path: '/main/settings/storage', heading: 'Storage', title: 'Storage' },
    { path: '/main/settings/backups', heading: 'Backups', title: 'Backups' },
    { path: '/main/settings/quotas', heading: 'Quotas', title: 'Quotas' },
    { path: '/main/settings/privacy', heading: 'Privacy', title: 'Privacy' },
    { path: '/main/settings/teams', heading: 'Teams', title: 'Teams' },
    { path: '/main/settings/sharing', heading: 'Sharing', title: 'Sharing' },
    { path: base, heading: 'General', title: `${slug} settings` },
    { path: `${base}/keys`, heading: 'Client keys', title: `Client keys · ${slug}` },
    { path: `${base}/ownership`, heading: 'Ownership', title: `Ownership · ${slug}` },
    { path: '/main/settings/repositories', heading: 'Repositories', title: 'Repositories' },
    { path: '/main/settings/integrations', heading: 'Integrations', title: 'Integrations' },
    { path: `${base}/source-maps`, heading: 'Source maps', title: `Source maps · ${slug}` },
    { path: `${base}/code-mappings`, heading: 'Code mappings', title: `Code mappings · ${slug}` },
    { path: `${base}/discarded`, heading: 'Discarded issues', title: `Discarded issues · ${slug}` },
    { path: `${base}/filters`, heading: 'Inbound filters', title: `Inbound filters · ${slug}` },
    { path: `${base}/privacy`, heading: 'Privacy', title: `Privacy · ${slug}` },
    { path: `${base}/rate-limits`, heading: 'Rate limits', title: `Rate limits · ${slug}` },
  ];
};

const activityPlace = (shortId: string): Place => ({
  path: `/main/issues/${shortId}/activity`,
  heading: 'TypeError',
  title: `Activity of ${shortId}`,
});

const eventPlace = (shortId: string, eventId: string): Place => ({
  path: `/main/issues/${shortId}/events/${eventId}`,
  heading: 'TypeError',
  title: `${shortId} TypeError`,
});

const STATS: Place = { path: '/main/stats', heading: 'Stats', title: 'Stats' };
