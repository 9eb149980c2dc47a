import { expect, test } from 'vitest';
import { findChromium, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import { buildEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { makeRichEvent, richEnvelopes } from '../harness/rich-event.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { FIRST_LOAD_BYTES_MAX, inKib, weighDocument } from '../harness/script-weight.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

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

/** A full page of the list. */
const ROWS = 25;
/** Uncompressed, for the browser parses all of it before the page answers to its reader. */
const STREAM_BYTES_MAX = 108 * 1024;
/** Of each project that can be chosen. */
const PROJECT_BYTES_MAX = 100;
const ISSUE_BYTES_MAX = 119 * 1024;

test('a full stream and a rich issue are documents of a bounded size', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { errata, slug, dsn, api } = await makeProject('html');
  const events = Array.from({ length: ROWS + 1 }, (_, index) =>
    makeRichEvent(`mark-${String.fromCharCode(97 + index)}`),
  );
  for (const event of events) {
    for (const body of richEnvelopes(event))
      expect((await postEnvelope(parseDsn(dsn), body)).status).toBe(200);
  }
  const { issue } = await findEvent(api, slug, events.at(-1)?.event_id ?? '');
  await using browser = await launchChromium();
  const page = await openAsOwner(browser);
  const stream = await until('a full page of issues', async () => {
    const html = await (await page.request.get(`${errata.url}/main/issues?project=${slug}`)).text();
    return html.split('data-issue-row=').length > ROWS && html;
  });
  const projects = await api.list('/api/0/organizations/main/projects/');
  expect(Buffer.byteLength(stream)).toBeLessThanOrEqual(
    STREAM_BYTES_MAX + projects.length * PROJECT_BYTES_MAX,
  );
  const detail = await (await page.request.get(`${errata.url}/main/issues/${issue.shortId}`)).text();
  expect(detail).toContain('id="modules"');
  expect(Buffer.byteLength(detail)).toBeLessThanOrEqual(ISSUE_BYTES_MAX);
});
