import { expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { buildEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { FIRST_LOAD_BYTES_MAX, inKib, weighDocument } from '../harness/script-weight.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';

// What every page loads until its end is weighed in pages-matrix.test.ts.
test('the stream and the issue answer to their reader after 190 KB of script', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, slug, dsn, api } = await makeProject('weight');
  const event = makeJavascriptError({ issue: 9_400, bytes: 20_000 });
  const sent = buildEnvelope({ event_id: event.event_id }, [
    { type: 'event', payload: JSON.stringify(event) },
  ]);
  expect((await postEnvelope(parseDsn(dsn), sent)).status).toBe(200);
  const { issue } = await findEvent(api, slug, event.event_id, 10_000);
  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  for (const path of [`/main/issues?project=${slug}`, `/main/issues/${issue.shortId}`]) {
    const bytes = await weighDocument(page, `${errata.url}${path}`);
    expect(bytes, `${path} names ${inKib(bytes)} KB of script`).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX);
  }
});
