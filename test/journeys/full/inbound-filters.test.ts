import { expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { readOutcomes } from '../../harness/outcome-counts.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { until } from '../../harness/until.ts';

/** Digest takes changed settings within this time. */
const KNOWN_WITHIN_MS = 20_000;

test('filters are chosen on their page, a wrong line is told without losing the rest, and what matches is dropped', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, slug, dsn } = await makeProject('filters');
  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url);
  await keepingScreenshot(page, 'inbound-filters', async () => {
    await page.goto(`${errata.url}/main/settings/projects/${slug}`);
    await page.getByRole('navigation', { name: 'Project settings' }).getByText('Inbound filters').click();
    await page.getByRole('heading', { name: 'Inbound filters' }).waitFor();

    await page.getByLabel('Localhost').check();
    await page.getByLabel('Safari 15 and older').check();
    await page.getByLabel('Releases').fill('dropped@*\n[broken');
    await page.getByRole('button', { name: 'Save filters' }).click();
    await page.getByText(/unclosed/).waitFor();
    // Nothing that was typed is lost.
    expect(await page.getByLabel('Releases').inputValue()).toBe('dropped@*\n[broken');
    expect(await page.getByLabel('Localhost').isChecked()).toBe(true);
    expect(await page.getByLabel('Safari 15 and older').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Line 2' }).click();
    await page.keyboard.press('Delete');
    await page.getByRole('button', { name: 'Save filters' }).click();
    await page.getByText('Inbound filters saved').waitFor();

    await page.reload();
    expect(await page.getByLabel('Releases').inputValue()).toBe('dropped@*');
    expect(await page.getByLabel('Localhost').isChecked()).toBe(true);
    expect(await page.getByLabel('Chrome 110 and older').isChecked()).toBe(false);
  });

  const rows = await api.get<{ id: string; active: unknown }[]>(`/api/0/projects/main/${slug}/filters/`);
  expect(rows.find(({ id }) => id === 'localhost')?.active).toBe(true);
  expect(rows.find(({ id }) => id === 'legacy-browsers')?.active).toEqual(['safari']);

  let issue = 0;
  await until(
    'an event to be filtered by its release',
    async () => {
      issue += 1;
      const event = { ...makeJavascriptError({ issue, bytes: 2_000 }), release: 'dropped@1.0' };
      expect((await postEnvelope(parseDsn(dsn), eventEnvelope(event))).status).toBe(200);
      return (await readOutcomes(api, slug)).has('error filtered release-version');
    },
    { timeoutMs: KNOWN_WITHIN_MS, everyMs: 500 },
  );
  await page.reload();
  await page
    .getByRole('link', { name: /^\d+ dropped$/ })
    .first()
    .click();
  await page.getByText('Releases').first().waitFor();
});
