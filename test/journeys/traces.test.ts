import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../harness/browser.ts';
import {
  buildEnvelope,
  type Dsn,
  newEventId,
  newSpanId,
  parseDsn,
  postEnvelope,
} from '../harness/envelope.ts';
import { findEvent } from '../harness/find-event.ts';
import { hydrated } from '../harness/hydrated.ts';
import { testInFull } from '../harness/is-full.ts';
import { makeSampleTrace, type SampleTrace } from '../harness/sample-trace.ts';
import { makeProject, openAsOwner } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`a trace in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let browser: Browser;
  let page: Page;
  let url: string;
  let slug: string;
  let dsn: Dsn;
  let shortId: string;
  let trace: SampleTrace;

  beforeAll(async () => {
    const { errata, api, ...project } = await makeProject('traced');
    dsn = parseDsn(project.dsn);
    ({ url } = errata);
    ({ slug } = project);
    trace = makeSampleTrace();
    for (const envelope of trace.envelopes) {
      expect((await postEnvelope(dsn, envelope)).status).toBe(200);
    }
    ({ shortId } = (await findEvent(api, slug, trace.errorId)).issue);
    browser = await launchChromium();
    page = await openAsOwner(browser);
  });
  afterAll(async () => browser?.close());

  const walk = (name: string, steps: () => Promise<void>) => keepingScreenshot(page, `trace-${name}`, steps);
  const tree = () => page.getByRole('tree', { name: 'Spans' });
  const names = async () =>
    (await tree().getByRole('treeitem').allTextContents()).map((text) => text.replace(/\s+/g, ' ').trim());
  const selected = () => tree().getByRole('treeitem', { selected: true });

  test('is one click from an error, at the span in which it happened', async () => {
    await walk('from-error', async () => {
      await page.goto(`${url}/main/issues/${shortId}`);
      await page.getByRole('list', { name: 'At a glance' }).getByRole('link', { name: 'Trace' }).click();
      await page.waitForURL(`**/main/traces/${trace.traceId}?span=${trace.failedId}`);
      await expect.poll(() => selected().textContent()).toContain('POST https://pay.example.com/charges');
      const details = page.getByRole('region', { name: 'Span', exact: true });
      await details.getByText('PaymentError: card declined').waitFor();
      await details.getByText('db.example.com').waitFor();
      await page.getByRole('region', { name: 'Errors' }).getByRole('link', { name: 'PaymentError' }).click();
      await page.waitForURL(`**/issues/${shortId}/events/${trace.errorId}`);
    });
  });

  test('shows its spans in time, repeats as one, and the time that nothing accounts for', async () => {
    await walk('waterfall', async () => {
      await page.goto(`${url}/main/traces/${trace.traceId}`);
      await page.getByRole('heading', { level: 1, name: 'POST /checkout' }).waitFor();
      await expect
        .poll(names)
        .toEqual([
          expect.stringContaining('http.server POST /checkout'),
          expect.stringContaining('12 × db.query SELECT price'),
          expect.stringContaining('function chargeCard'),
          expect.stringContaining('http.client POST https://pay.example.com/charges'),
          expect.stringContaining('No instrumentation, 350 ms'),
          expect.stringContaining('template.render receipt'),
        ]);
      await page.getByRole('list', { name: 'Web vitals' }).getByText('2.65 s').waitFor();
      await page.getByText('the card was declined').waitFor();
    });
  });

  test('is read with the keyboard alone', async () => {
    await walk('keyboard', async () => {
      await page.goto(`${url}/main/traces/${trace.traceId}`);
      await tree().focus();
      const opened = async (count: number) => expect.poll(async () => (await names()).length).toBe(count);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => selected().textContent()).toContain('12 ×');
      await page.keyboard.press('ArrowRight');
      await opened(18);
      await page.keyboard.press('Home');
      await page.keyboard.press('ArrowLeft');
      await opened(1);
      await page.keyboard.press('ArrowRight');
      await opened(18);
      await page.keyboard.press('Escape');
      await expect.poll(() => selected().count()).toBe(0);
      await page.keyboard.press('/');
      await page.keyboard.type('is:error');
      await page.getByText('1 found').waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => new URL(page.url()).searchParams.get('span')).toBe(trace.failedId);
      await page.reload();
      await expect.poll(() => selected().textContent()).toContain('charges');
    });
  });

  testInFull('is found by search and by groups, and its logs are followed live', async () => {
    await walk('explore', async () => {
      await page.goto(`${url}/main/explore/errors?project=${slug}`);
      await page.getByRole('navigation', { name: 'Datasets' }).getByRole('link', { name: 'Traces' }).click();
      const rows = page.getByRole('group', { name: 'Rows' }).getByRole('row');
      await page.getByRole('group', { name: 'Rows' }).getByRole('link', { name: 'POST /checkout' }).waitFor();
      await page.goto(
        `${url}/main/explore/traces?project=${slug}&query=span.op%3Adb.query+span.duration%3A%3E10ms`,
      );
      await expect.poll(() => rows.count()).toBe(13);
      await page.getByText('Groups', { exact: true }).click();
      await page.getByRole('button', { name: 'Remove group transaction' }).click();
      await page.getByLabel('Add group').fill('server.address');
      await page.keyboard.press('Enter');
      const groups = page.getByRole('group', { name: 'Groups' });
      await groups.getByRole('row', { name: /db\.example\.com.* 12 15 ms/ }).waitFor();
      await groups.getByRole('link', { name: 'Show db.example.com' }).click();
      await expect
        .poll(() => new URL(page.url()).searchParams.get('query'))
        .toContain('server.address:db.example.com');
      await expect.poll(() => rows.count()).toBe(13);
      await page.goto(`${url}/main/explore/traces?project=${slug}&query=span.duration%3Afast`);
      await page
        .getByText(/needs a (?:number|duration)/)
        .first()
        .waitFor();

      await page.getByRole('navigation', { name: 'Datasets' }).getByRole('link', { name: 'Logs' }).click();
      const lines = page.getByRole('list', { name: 'Logs' }).getByRole('listitem');
      await expect.poll(() => lines.count()).toBe(2);
      await page.goto(`${url}/main/explore/logs?project=${slug}&query=severity%3Aerror+DECLINED`);
      await expect.poll(() => lines.count()).toBe(1);
      await lines.getByRole('button', { name: /^Details of/ }).click();
      await page.getByRole('link', { name: 'Lines around it' }).waitFor();
      await page.goto(`${url}/main/explore/logs?project=${slug}`);
      await hydrated(page);
      await page.getByRole('button', { name: 'Live tail' }).click();
      await page.getByText('Following: 0 lines').or(page.getByText('Following: 2 lines')).waitFor();
      const later = makeSampleTrace('POST /later');
      for (const envelope of later.envelopes) await postEnvelope(dsn, envelope);
      await page.getByText(/Following: [24] lines/).waitFor();
      await page.getByText('the card was declined').last().waitFor();
      const newest = lines.first().getByRole('link', { name: 'Trace' });
      // The lines of before may have been followed too.
      await expect
        .poll(async () => {
          await page.goto(`${url}/main/explore/logs?project=${slug}&query=severity%3Aerror`);
          return await newest.getAttribute('href');
        })
        .toContain(later.traceId);
      await newest.click();
      await page.waitForURL(`**/main/traces/${later.traceId}?span=${later.failedId}`);
    });
  });

  testInFull('of hostile spans is shown inert', async () => {
    await walk('hostile', async () => {
      const traceId = newEventId();
      const [a, b, self] = [newSpanId(), newSpanId(), newSpanId()];
      const now = Date.now() / 1_000;
      const span = (span_id: string, parent_span_id: string, fields: object = {}) => ({
        trace_id: traceId,
        span_id,
        parent_span_id,
        name: '<img src=x onerror="window.ran = 1"><script>window.ran = 1</script>',
        status: 'ok',
        is_segment: false,
        start_timestamp: now - 1,
        end_timestamp: now,
        attributes: {
          '</dl><script>window.ran = 1</script>': { type: 'string', value: '\u202e"><svg onload=ran>' },
        },
        ...fields,
      });
      const items = [
        span(a, b),
        span(b, a),
        span(self, self, { end_timestamp: now - 100 }),
        ...Array.from({ length: 800 }, () => span(newSpanId(), newSpanId(), { start_timestamp: now - 1e6 })),
        ...Array.from({ length: 800 }, (_, index) =>
          span(newSpanId(), a, { name: `${index} ${'x'.repeat(3_000)}` }),
        ),
      ];
      for (const part of [items.slice(0, 800), items.slice(800)]) {
        const body = buildEnvelope({ sent_at: new Date().toISOString() }, [
          {
            type: 'span',
            payload: JSON.stringify({ items: part }),
            headers: { item_count: part.length, content_type: 'application/vnd.sentry.items.span.v2+json' },
          },
        ]);
        expect((await postEnvelope(dsn, body)).status).toBe(200);
      }
      const address = `${url}/main/traces/${traceId}?span=${b}`;
      // Days become readable one by one, and these spans are of two.
      await until('the spans of every day', async () => {
        await page.goto(address);
        return selected()
          .waitFor({ timeout: 5_000 })
          .then(() => true);
      });
      await expect.poll(() => selected().textContent()).toContain('<img src=x onerror=');
      const details = page.getByRole('region', { name: 'Span', exact: true });
      await details.getByText('</dl><script>window.ran = 1</script>').waitFor();
      await tree().evaluate((own) => own.scrollTo(0, own.scrollHeight));
      expect(await page.evaluate(() => 'ran' in window)).toBe(false);
      expect(
        await page.evaluate(
          () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
        ),
      ).toBe(false);
    });
  });

  test('that does not exist is not found', async () => {
    expect((await page.goto(`${url}/main/traces/${'0'.repeat(32)}`))?.status()).toBe(404);
    expect((await page.goto(`${url}/main/traces/nothing`))?.status()).toBe(404);
  });
});
