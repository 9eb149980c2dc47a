import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE_MS } from '#lib/time.ts';
import { createApiClient } from '../../harness/api-client.ts';
import { findChromium, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { authHeader, newEventId, parseDsn } from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { type FuzzedRequest, fuzzEnvelope } from '../../harness/mutate-envelope.ts';
import { listProcessTree, readPssBytes } from '../../harness/processes.ts';
import { readMetrics } from '../../harness/read-health.ts';
import { makeSampleEnvelopes } from '../../harness/sample-items.ts';
import { chooseSeed, seededRandom } from '../../harness/seeded-random.ts';
import { signIn } from '../../harness/sign-in.ts';
import { type ErrataServer, startErrata } from '../../harness/start-errata.ts';
import { until } from '../../harness/until.ts';

const ENVELOPES = IS_FULL ? 20_000 : 250;
const SENDERS = 8;
const PAGES_AT_ONCE = 4;
/** Of more stored events than these, as many are opened, evenly chosen. */
const OPENED_MAX = 1_500;
const PAGES_IN_BROWSER = IS_FULL ? 200 : 8;
/** Lists of what else is stored; each row of them is made of hostile input. */
const KINDS = [
  'issues',
  'transactions',
  'spans',
  'logs',
  'metrics',
  'sessions',
  'check-ins',
  'profiles',
  'replays',
  'user-feedback',
  'attachments',
] as const;
const GROWTH_BYTES_MAX = 700 * 1024 * 1024;

let server: ErrataServer;
beforeAll(async () => {
  server = await startErrata();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test(
  `${ENVELOPES} fuzzed envelopes: no crash, no 5xx, bounded memory, stored events render`,
  async (context) => {
    if (findChromium() === null) context.skip(NO_CHROMIUM);
    const random = seededRandom(chooseSeed());
    const slug = 'fuzz';
    const dsn = parseDsn(await server.project(slug));
    const api = createApiClient(server.url, await server.token());
    const pidsBefore = await server.pids();
    const bytesBefore = measurePss();

    const requests = fuzzedRequests(random);
    const statuses = new Map<number, number>();
    const failures: string[] = [];
    await Promise.all(
      Array.from({ length: SENDERS }, async () => {
        for (const { body, headers } of requests) {
          try {
            const response = await fetch(`${server.url}/api/${dsn.projectId}/envelope/`, {
              method: 'POST',
              headers: { 'x-sentry-auth': authHeader(dsn), ...headers },
              body: new Uint8Array(body),
              signal: AbortSignal.timeout(30_000),
            });
            const text = await response.text();
            statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
            if (response.status >= 500) failures.push(`${response.status} ${text.slice(0, 200)}`);
            if (response.status >= 400 && !response.headers.get('x-sentry-error'))
              failures.push(`no reason: ${text}`);
          } catch (error) {
            failures.push(`no answer: ${String(error)}`);
          }
        }
      }),
    );
    console.log(`answers: ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`);
    expect(failures).toEqual([]);
    expect(statuses.get(200) ?? 0).toBeGreaterThan(ENVELOPES / 3);

    await until('the spool to be empty', async () => (await readDepth()) === 0, {
      timeoutMs: 10 * MINUTE_MS,
      everyMs: 500,
    });
    await delay(2_000);
    expect(await server.pids(), 'no process died').toEqual(pidsBefore);
    expect((await server.cli(['quarantine', 'list', '--json'])).stdout).not.toMatch(/digest_/);
    const grown = measurePss() - bytesBefore;
    console.log(`memory grew by ${Math.round(grown / 1024 / 1024)} MB`);
    expect(grown).toBeLessThan(GROWTH_BYTES_MAX);

    const events = await api.list<{ eventID: string; groupID: string | null }>(
      `/api/0/projects/main/${slug}/events/`,
    );
    expect(events.length).toBeGreaterThan(ENVELOPES / 50);
    await using browser = await launchChromium();
    const page = await signIn(browser, server.url);
    const cookies = await page.context().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const broken: string[] = [];
    const every = Math.ceil(events.length / OPENED_MAX);
    const opened = events.filter((_, index) => index % every === 0);
    const rest = opened.values();
    await Promise.all(
      Array.from({ length: PAGES_AT_ONCE }, async () => {
        for (const { eventID, groupID } of rest) {
          if (groupID === null) continue;
          const response = await fetch(`${server.url}/main/issues/${groupID}/events/${eventID}`, {
            headers: { cookie },
            redirect: 'follow',
          });
          const html = await response.text();
          if (response.status !== 200 || /Application error|data-dgst/.test(html)) {
            broken.push(`${eventID}: ${response.status}`);
          }
          const overApi = await api.request('GET', `/api/0/projects/main/${slug}/events/${eventID}/`);
          if (overApi.status !== 200) broken.push(`${eventID} over the API: ${overApi.status}`);
        }
      }),
    );
    console.log(`${opened.length} of ${events.length} stored events were opened`);
    expect(broken).toEqual([]);

    // What only a browser finds: errors while the page comes alive.
    const inBrowser: string[] = [];
    page.on('pageerror', (error) => inBrowser.push(`${page.url()}: ${error.message}`));
    const step = Math.max(1, Math.floor(events.length / PAGES_IN_BROWSER));
    for (const { eventID, groupID } of events.filter((_, index) => index % step === 0)) {
      if (groupID === null) continue;
      await page.goto(`${server.url}/main/issues/${groupID}/events/${eventID}`, { waitUntil: 'load' });
    }
    for (const address of ['/main/issues', '/main/stats']) {
      const response = await page.goto(`${server.url}${address}`, { waitUntil: 'load' });
      if (response?.status() !== 200) inBrowser.push(`${address}: ${response?.status()}`);
    }
    expect(inBrowser).toEqual([]);

    for (const kind of KINDS) {
      const rows = await api.list<Record<string, unknown>>(`/api/0/projects/main/${slug}/${kind}/`);
      console.log(`${rows.length} ${kind}`);
    }
  },
  30 * MINUTE_MS,
);

/** Changed envelopes of every item type, until there are enough. */
function* fuzzedRequests(random: () => number): Generator<FuzzedRequest> {
  let made = 0;
  while (made < ENVELOPES) {
    for (const { eventId, items } of makeSampleEnvelopes(`fuzz-${made}`)) {
      // Errors are what pages are made of: half of all.
      for (const chosen of random() < 0.5
        ? [items, makeSampleEnvelopes(`error-${made}`)[0]!.items]
        : [items]) {
        if (made >= ENVELOPES) return;
        made += 1;
        const id = eventId === null && chosen === items ? null : newEventId();
        const header = { ...(id === null ? {} : { event_id: id }), sent_at: new Date().toISOString() };
        yield fuzzEnvelope(header, chosen, random);
      }
    }
  }
}

async function readDepth(): Promise<number> {
  const text = await readMetrics(server);
  return Number(/^errata_digest_waiting_records(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1] ?? Number.NaN);
}

const measurePss = (): number =>
  listProcessTree([server.pid]).reduce((sum, pid) => sum + readPssBytes(pid), 0);
