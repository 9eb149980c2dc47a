import { expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { readDownload } from '../../harness/read-download.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject, openAsOwner } from '../../harness/shared-errata.ts';
import { until } from '../../harness/until.ts';

test('a dashboard of a template follows filters and variables, is arranged by keyboard, and comes back from its file', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, slug, dsn } = await makeProject('dashboards');
  for (const release of ['shop@1', 'shop@2', 'shop@2']) {
    const event = { ...makeJavascriptError({ issue: 1, bytes: 2_000 }), event_id: newEventId(), release };
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    await findEvent(api, slug, event.event_id);
  }

  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  const widget = (title: string) => page.locator('[data-widget]').filter({ hasText: title });
  const titles = () => page.locator('[data-widget] h2').allTextContents();
  await keepingScreenshot(page, 'dashboards', async () => {
    await page.goto(`${errata.url}/main/dashboards/new`);
    await page.getByLabel('Title').fill(slug);
    await page.getByRole('combobox', { name: 'Begin with' }).click();
    await page.getByRole('option', { name: /^Web app/ }).click();
    await page.getByRole('button', { name: 'Create dashboard' }).click();
    await page.getByRole('heading', { name: slug }).waitFor();
    const address = page.url().replace(/\?.*/, '');

    await page.goto(`${address}?project=${slug}`);
    await widget('Users affected').waitFor();
    const errors = page.locator('[data-widget="w1"] dd');
    await until('all errors', async () => (await errors.textContent())?.startsWith('3') ?? false);
    await page.getByRole('combobox', { name: 'release' }).fill('shop@2');
    await page.keyboard.press('Enter');
    await until('errors of a release', async () => (await errors.textContent())?.startsWith('2') ?? false);
    expect(new URL(page.url()).searchParams.get('var')).toBe('release:shop@2');
    await errors.getByRole('link').click();
    await page.waitForURL(/explore\/errors/);
    await until('its rows', async () => (await page.locator('main tbody tr').count()) === 2);

    await page.goto(address);
    await page.getByRole('link', { name: 'Arrange' }).click();
    const [first, second] = await titles();
    const handle = page.getByRole('button', { name: `Move or resize ${first}`, exact: true });
    await handle.press('ArrowRight');
    await handle.press('Shift+ArrowDown');
    await page.getByRole('button', { name: 'Save layout' }).click();
    await page.getByText('Layout saved').waitFor();
    await page.goto(address);
    expect((await titles()).slice(0, 2)).toEqual([second, first]);

    await page.getByRole('link', { name: 'Add widget' }).click();
    await page.getByLabel('Title').fill('By level');
    await page.getByLabel('Add group').fill('level');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Preview' }).getByText('error', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save widget' }).click();
    await widget('By level').waitFor();

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export' }).click();
    const file = await readDownload(await downloading);
    await page.goto(`${errata.url}/main/dashboards/new`);
    await page.getByLabel('Title').fill(`${slug} again`);
    await page.getByLabel('Import from JSON').fill(file);
    await page.getByRole('button', { name: 'Create dashboard' }).click();
    await page.getByRole('heading', { name: `${slug} again` }).waitFor();
    expect(await titles()).toContain('By level');
  });
});

test('a chart of Sentry with several queries is imported, edited by keyboard and pointer, and leads to its rows', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, slug, dsn } = await makeProject('several');
  for (const level of ['error', 'error', 'warning']) {
    const event = { ...makeJavascriptError({ issue: 1, bytes: 2_000 }), event_id: newEventId(), level };
    expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
    await findEvent(api, slug, event.event_id);
  }
  const query = (name: string, conditions: string) => ({ name, conditions, aggregates: ['count()'] });
  const widget = {
    title: 'By level',
    displayType: 'area',
    widgetType: 'error-events',
    queries: [query('Failures', 'level:error'), query('', 'level:warning')],
  };

  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  const legend = () =>
    page.getByRole('list', { name: 'Lines of the chart' }).getByRole('link').allTextContents();
  const names = (wanted: readonly string[]) =>
    until(wanted.join(), async () => (await legend()).join() === wanted.join());
  await keepingScreenshot(page, 'dashboard-queries', async () => {
    await page.goto(`${errata.url}/main/dashboards/new`);
    await page.getByLabel('Import from JSON').fill(JSON.stringify({ title: slug, widgets: [widget] }));
    await page.getByRole('button', { name: 'Create dashboard' }).click();
    await page.getByRole('heading', { name: slug }).waitFor();
    await names(['Failures', 'level:warning']);

    await page.getByRole('link', { name: 'Edit By level' }).click();
    await page.getByRole('button', { name: 'Add query' }).press('Enter');
    await page.keyboard.type('!level:error');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Others');
    await page.keyboard.press('Tab');
    await names(['Failures', 'level:warning', 'Others']);
    await page.getByRole('button', { name: 'Move query 3', exact: true }).press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await names(['Others', 'Failures', 'level:warning']);
    const handle = await page.getByRole('button', { name: 'Move query 1', exact: true }).boundingBox();
    const below = await page.getByRole('button', { name: 'Move query 3', exact: true }).boundingBox();
    await page.mouse.move(handle!.x + 5, handle!.y + 5);
    await page.mouse.down();
    await page.mouse.move(below!.x + 5, below!.y + 5, { steps: 20 });
    await page.mouse.up();
    await names(['Failures', 'level:warning', 'Others']);
    await page.getByRole('button', { name: 'Remove query 2' }).click();
    await names(['Failures', 'Others']);
    await page.getByRole('button', { name: 'Save widget' }).click();
    await page.waitForURL(/dashboards\/\d+/);
    await page.getByRole('link', { name: 'Edit By level' }).waitFor();
    await names(['Failures', 'Others']);

    const address = page.url().replace(/\?.*/, '');
    const stored = await api.get<{ widgets: { queries: unknown[] }[] }>(
      `/api/0/organizations/main/dashboards/${address.split('/').at(-1)}/`,
    );
    expect(stored.widgets[0]?.queries).toMatchObject([
      query('Failures', 'level:error'),
      query('Others', '!level:error'),
    ]);
    await page.goto(`${address}?project=${slug}`);
    await page.getByRole('link', { name: 'Failures' }).click();
    await page.waitForURL(/explore\/errors\?.*level/);
    await until('its rows', async () => (await page.locator('main tbody tr').count()) === 2);
  });
});
