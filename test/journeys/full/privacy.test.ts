import { expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { until } from '../../harness/until.ts';

test('a rule is tried on the latest event, saved, and scrubs what arrives afterwards', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, slug, dsn: dsnText } = await makeProject('privacy');
  const dsn = parseDsn(dsnText);
  const makeEvent = () => ({
    ...makeJavascriptError({ issue: 1, bytes: 2000 }),
    extra: { note: 'customer cus_ab12cd34 called', password: 'hunter2' },
  });
  const first = makeEvent();
  await postEnvelope(dsn, eventEnvelope(first));
  const stored = (await findEvent(api, slug, first.event_id)).event as unknown as {
    context: Record<string, unknown>;
    _meta: { context: Record<string, unknown> };
  };
  expect(stored.context).toMatchObject({ note: 'customer cus_ab12cd34 called', password: '[Filtered]' });
  expect(stored._meta.context.password).toEqual({ '': { rem: [['@password:filter', 's', 0, 10]], len: 7 } });

  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url);
  await keepingScreenshot(page, 'privacy', async () => {
    await page.goto(`${errata.url}/main/settings/projects/${slug}/privacy`);
    await page.getByRole('button', { name: 'Add rule' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Data type').click();
    await page.getByRole('option', { name: /Regular expression/ }).click();
    await dialog.getByLabel('Regular expression').fill('cus_[a-z0-9]{8,}');
    await dialog.getByLabel('Source', { exact: true }).fill('extra.');
    await dialog.getByRole('button', { name: 'Apply rule' }).click();

    // A selector that cannot be read is told at the rule, and nothing that was typed is lost.
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText(/selector, at character 7: Expected a name at the end/).waitFor();
    await page.getByRole('button', { name: 'Edit rule 1' }).click();
    await page.getByRole('dialog').getByLabel('Source', { exact: true }).fill('extra.**');
    await page.getByRole('dialog').getByRole('button', { name: 'Apply rule' }).click();

    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('1 value would change in').waitFor();
    const change = page.getByRole('list', { name: 'Values that would change' }).getByRole('listitem');
    expect(await change.textContent()).toMatch(/extra\.note[\s\S]*cus_ab12cd34[\s\S]*customer \*{12} called/);
    await page.getByText('changes 1 value').waitFor();

    await page.getByLabel('Replay recordings').click();
    await page.getByRole('option', { name: "Don't store" }).click();
    await page.getByRole('button', { name: 'Save privacy settings' }).click();
    await page.getByText('Privacy settings saved').waitFor();
    await page.reload();
    await page.getByText('cus_[a-z0-9]{8,}').waitFor();
    expect(await page.getByLabel('Replay recordings').textContent()).toContain("Don't store");
    expect(await page.getByLabel('Text attachments').textContent()).toContain('Scrub');

    // Digest takes new rules within seconds.
    const scrubbed = await until(
      'an event that the rule scrubbed',
      async () => {
        const event = makeEvent();
        await postEnvelope(dsn, eventEnvelope(event));
        const found = await findEvent(api, slug, event.event_id);
        const { note } = (found.event as unknown as { context: { note: string } }).context;
        return note.includes('cus_') ? null : { eventId: event.event_id, issue: found.issue };
      },
      { timeoutMs: 20_000, everyMs: 500 },
    );
    await page.goto(`${errata.url}/main/issues/${scrubbed.issue.shortId}/events/${scrubbed.eventId}`);
    await page.getByText(/2 values were scrubbed/).waitFor();
    const extra = page.getByRole('region', { name: 'Additional data' });
    await extra.getByText('filtered: password').waitFor();
    await extra.getByText('masked: regular expression match').waitFor();
    expect(await extra.textContent()).toContain('customer ************ called');
  });
});
