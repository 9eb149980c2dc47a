import { expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { buildEnvelope, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { until } from '../../harness/until.ts';

test('the page tells of every item what became of it and why', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, api, slug, dsn: dsnText } = await makeProject('outcomes');
  const dsn = parseDsn(dsnText);
  const event = makeJavascriptError({ issue: 1, bytes: 2000 });
  for (let time = 0; time < 3; time++) await postEnvelope(dsn, eventEnvelope(event));
  const noJson = buildEnvelope({ event_id: newEventId() }, [{ type: 'event', payload: '{"message": ' }]);
  expect((await postEnvelope(dsn, noJson)).status).toBe(200);
  const huge = { ...makeJavascriptError({ issue: 1, bytes: 2000 }), extra: { blob: 'x'.repeat(1_500_000) } };
  expect((await postEnvelope(dsn, eventEnvelope(huge))).status).toBe(413);
  const skipped = buildEnvelope({}, [
    { type: 'metric_buckets', payload: '[]' },
    { type: 'metric_buckets', payload: '[]' },
  ]);
  expect((await postEnvelope(dsn, skipped)).status).toBe(200);
  await findEvent(api, slug, event.event_id);

  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url);
  const readRows = async (category: string): Promise<string[]> => {
    await page.goto(`${errata.url}/main/stats?project=${slug}&range=24h&category=${category}`);
    const table = page.locator('table', { hasText: 'What it means' });
    await table.waitFor({ timeout: 5000 });
    const rows = await table.locator('tbody tr').all();
    return Promise.all(rows.map(async (row) => (await row.getByRole('cell').allTextContents()).join(' | ')));
  };
  await keepingScreenshot(page, 'outcomes', async () => {
    // Refusals are gathered for a moment before they are written.
    const rows = await until(
      'every outcome on the page',
      async () => {
        const found = await readRows('error');
        return ['Storedaccepted', 'duplicate', 'invalid_json', 'too_large'].every((reason) =>
          found.some((row) => row.includes(reason)),
        )
          ? found
          : null;
      },
      { timeoutMs: 20_000, everyMs: 500 },
    );
    const rowOf = (reason: string) => rows.find((row) => row.includes(reason)) ?? '';
    expect(rowOf('Storedaccepted')).toMatch(/\| 1 \|/);
    expect(rowOf('duplicate')).toMatch(/\| 2 \|/);
    expect(rowOf('invalid_json')).toMatch(/\| 1 \|/);
    expect(rowOf('too_large')).toMatch(/\| 1 \|/);
    expect(rows).toHaveLength(4);

    const buckets = await readRows('statsd');
    expect(buckets.find((row) => row.includes('unsupported_item'))).toMatch(/\| 2 \|/);
    expect(buckets.join(' ')).toContain('Unknown item type');
  });
});
