// How long the page of a large trace takes: `node bin/run-built.mjs test/bench/trace-speed.ts`.

import { createApiClient } from '../harness/api-client.ts';
import { launchChromium } from '../harness/browser.ts';
import { buildEnvelope, newEventId, newSpanId, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { signIn } from '../harness/sign-in.ts';
import { startErrata } from '../harness/start-errata.ts';
import { until } from '../harness/until.ts';
import { measurePages } from './page-speed.ts';

const SIZES = [1_000, 10_000, 50_000];
const SPANS_PER_ENVELOPE = 900;
const SCROLLED_MS = 3_000;
const SCROLL_PX = 400;
const STORED_WITHIN_MS = 180_000;

await using server = await startErrata({});
const dsn = parseDsn(await server.project('traced', 'node'));
const api = createApiClient(server.url, await server.token());
const pages: Record<string, string> = {};
for (const size of SIZES) pages[`${size} spans`] = `/main/traces/${await sendTrace(size)}`;
print(JSON.stringify((await measurePages(server.url, pages))?.pages, null, 1));
for (const [name, path] of Object.entries(pages))
  print(`${name}, frames while it scrolls: ${await countFrames(path)}`);

/** A tree of spans, twenty to each parent, whose names differ. Answers the id of the trace once all of it is stored. */
async function sendTrace(size: number): Promise<string> {
  const traceId = newEventId();
  const ids = Array.from({ length: size }, newSpanId);
  const began = Date.now() / 1_000 - 60;
  const spans = ids.map((span_id, index) => ({
    trace_id: traceId,
    span_id,
    ...(index > 0 && { parent_span_id: ids[Math.floor((index - 1) / 20)] }),
    name: `SELECT ${index} FROM orders WHERE customer = $1`,
    status: index % 50 === 0 ? 'error' : 'ok',
    is_segment: index === 0,
    start_timestamp: began + (index / size) * 30,
    end_timestamp: began + (index / size) * 30 + 20 / (1 + Math.log2(1 + index)),
    attributes: { 'sentry.op': { type: 'string', value: index % 3 === 0 ? 'db.query' : 'function' } },
  }));
  for (let from = 0; from < size; from += SPANS_PER_ENVELOPE) {
    const items = spans.slice(from, from + SPANS_PER_ENVELOPE);
    const body = buildEnvelope({ sent_at: new Date().toISOString() }, [
      {
        type: 'span',
        payload: JSON.stringify({ items }),
        headers: { item_count: items.length, content_type: 'application/vnd.sentry.items.span.v2+json' },
      },
    ]);
    const { status } = await postEnvelope(dsn, body);
    if (status !== 200) throw new Error(`The server answered ${status}`);
  }
  await until(
    `${size} spans to be stored`,
    async () => {
      const answer = await api.request('GET', `/api/0/organizations/main/trace-meta/${traceId}/`);
      return (answer.body as { spansCount?: number }).spansCount === size;
    },
    { timeoutMs: STORED_WITHIN_MS },
  );
  return traceId;
}

/** Frames in a second, and the longest time between two, while the waterfall scrolls. */
async function countFrames(path: string): Promise<string> {
  await using browser = await launchChromium();
  const page = await signIn(browser, server.url);
  await page.goto(`${server.url}${path}`);
  await page.getByRole('tree', { name: 'Spans' }).waitFor();
  await page.waitForTimeout(1_000);
  const frames = await page.evaluate(
    ({ forMs, px }) =>
      new Promise<number[]>((done) => {
        const tree = document.querySelector('[role="tree"]');
        const times: number[] = [];
        const step = (at: number) => {
          times.push(at);
          tree?.scrollBy(0, px);
          if (at - (times[0] ?? at) < forMs) requestAnimationFrame(step);
          else done(times);
        };
        requestAnimationFrame(step);
      }),
    { forMs: SCROLLED_MS, px: SCROLL_PX },
  );
  const gaps = frames.slice(1).map((at, index) => at - (frames[index] ?? at));
  const perSecond = (gaps.length / (gaps.reduce((sum, gap) => sum + gap, 0) / 1_000)).toFixed(0);
  return `${perSecond}/s, the longest ${Math.max(...gaps).toFixed(0)} ms`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
