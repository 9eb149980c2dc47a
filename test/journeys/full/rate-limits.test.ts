import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type ApiClient, createApiClient } from '../../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { buildEnvelope, type Dsn, eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { readOutcomes } from '../../harness/outcome-counts.ts';
import { runProgram } from '../../harness/run-program.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { makeProject } from '../../harness/shared-errata.ts';
import { signIn } from '../../harness/sign-in.ts';
import { until } from '../../harness/until.ts';

/** Long enough that no window ends while a test runs, unless it runs at midnight. */
const DAY_SECONDS = 86_400;
/** A limit that was saved is known to the edge within this time. */
const KNOWN_WITHIN_MS = 3_000;

const error = () => eventEnvelope(makeJavascriptError({ issue: 1, bytes: 2_000 }));
const session = () => buildEnvelope({}, [{ type: 'session', payload: '{}' }]);

/** PUTs and expects 200. */
async function put(api: ApiClient, path: string, body: unknown): Promise<unknown> {
  const answer = await api.request('PUT', path, body);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body;
}

const untilLimited = (what: string, send: () => Promise<{ status: number }>) =>
  until(what, async () => (await send()).status === 429, { timeoutMs: KNOWN_WITHIN_MS, everyMs: 100 });

const untilOutcome = (api: ApiClient, slug: string, name: string, quantity: number) =>
  until(
    `${quantity} of ${name}`,
    async () => {
      const counts = await readOutcomes(api, slug);
      return counts.get(name) === quantity ? counts : null;
    },
    { timeoutMs: 15_000, everyMs: 250 },
  );

const keyPath = (slug: string, dsn: Dsn) => `/api/0/projects/main/${slug}/keys/${dsn.publicKey}/`;

test('the rate limit of a key is kept to the event, told in the headers, counted, and taken away again', async () => {
  const { api, slug, dsn: dsnText } = await makeProject('key-limit');
  const dsn = parseDsn(dsnText);
  const path = keyPath(slug, dsn);
  const rateLimit = { count: 4, window: DAY_SECONDS };
  expect(await put(api, path, { rateLimit })).toMatchObject({ id: dsn.publicKey, rateLimit });
  expect(await api.get(path)).toMatchObject({ rateLimit });

  await sleep(KNOWN_WITHIN_MS);
  const answers = await Promise.all(Array.from({ length: 12 }, () => postEnvelope(dsn, error())));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(8);
  const [seconds, ...rest] = (refused[0]?.headers.get('x-sentry-rate-limits') ?? '').split(':');
  expect(rest).toEqual(['default;error;security', 'key', 'key_quota']);
  expect(refused[0]?.headers.get('retry-after')).toBe(seconds);
  expect(Number(seconds)).toBeLessThanOrEqual(DAY_SECONDS);
  expect(refused[0]?.body).toEqual({ detail: expect.stringContaining('key_quota') });

  // Other kinds go on, and are told what is used up.
  const other = await postEnvelope(dsn, session());
  expect(other.status).toBe(200);
  expect(other.headers.get('x-sentry-rate-limits')).toContain('default;error;security:key:key_quota');

  const counts = await untilOutcome(api, slug, 'error rate_limited key_quota', 8);
  expect(counts.get('error accepted')).toBe(4);

  await put(api, path, { rateLimit: null });
  await until('the limit to be gone', async () => (await postEnvelope(dsn, error())).status === 200, {
    timeoutMs: KNOWN_WITHIN_MS,
    everyMs: 200,
  });
});

test('an SDK that is told of a limit stops sending, and tells what it dropped', async () => {
  const { api, slug, dsn: dsnText } = await makeProject('backs-off');
  const dsn = parseDsn(dsnText);
  await put(api, keyPath(slug, dsn), { rateLimit: { count: 2, window: DAY_SECONDS } });
  await sleep(KNOWN_WITHIN_MS);
  const statuses: number[] = [];
  for (let count = 0; count < 3; count++) statuses.push((await postEnvelope(dsn, error())).status);
  expect(statuses).toEqual([200, 200, 429]);

  const program = await runProgram('node-floods.mjs', { env: { SENTRY_DSN: dsnText, EVENTS: '5' } });
  // The first is refused with 429; after that the SDK asks no more.
  expect(JSON.parse(program.stdout)).toEqual([429, 0, 0, 0, 0]);
  await untilOutcome(api, slug, 'error client_discard ratelimit_backoff', 4);
  const counts = await untilOutcome(api, slug, 'error rate_limited key_quota', 2);
  expect(counts.get('error accepted')).toBe(2);
});

test('limits of a project hold over all its keys; what is not limited in the same envelope is kept', async () => {
  const { api, slug, dsn: dsnText } = await makeProject('project-limit');
  const dsn = parseDsn(dsnText);
  const path = `/api/0/projects/main/${slug}/rate-limits/`;
  const limits = [{ kind: 'attachments', limit: 0, window: 60 }];
  expect(await put(api, path, { limits })).toMatchObject({ limits, spikeProtection: { isEnabled: true } });
  const event = makeJavascriptError({ issue: 1, bytes: 2_000 });
  const both = () =>
    buildEnvelope({ event_id: event.event_id }, [
      { type: 'event', payload: JSON.stringify(event) },
      { type: 'attachment', payload: 'x', headers: { filename: 'x.txt' } },
    ]);
  await untilLimited('attachments to be refused', () => postEnvelope(dsn, both()));
  const answer = await postEnvelope(dsn, both());
  expect(answer.headers.get('x-sentry-rate-limits')).toBe('60:attachment:project:project_quota');
  const counts = await until(
    'the event and the refused attachment',
    async () => {
      const found = await readOutcomes(api, slug);
      return found.has('error accepted') && found.has('attachment rate_limited project_quota') ? found : null;
    },
    { timeoutMs: 15_000 },
  );
  expect(counts.get('error accepted')).toBe(1);
});

test('what is wrong with a limit is said, and needs the right to change it', async () => {
  const { api, errata, slug, dsn } = await makeProject('wrong-limits');
  const path = `/api/0/projects/main/${slug}/rate-limits/`;
  const wrong = await api.request('PUT', path, { limits: [{ kind: 'errors', limit: -1, window: 60 }] });
  expect(wrong).toMatchObject({ status: 400, body: { detail: expect.stringContaining('errors') } });
  expect(await api.get(path)).toMatchObject({ limits: [] });
  const key = await api.request('PUT', keyPath(slug, parseDsn(dsn)), { rateLimit: { count: 0, window: 60 } });
  expect(key.status).toBe(400);
  const token = await errata.token('project:read,org:read,event:read');
  for (const address of [path, '/api/0/organizations/main/quotas/']) {
    const response = await fetch(`${errata.url}${address}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{"limits":[]}',
    });
    expect(response.status).toBe(403);
  }
});

test('quotas of the organization are set over the API by who may', async () => {
  const { errata } = await makeProject('quotas-api');
  const api = createApiClient(errata.url, await errata.token('org:read,org:write'));
  const path = '/api/0/organizations/main/quotas/';
  const limits = [{ kind: 'check_ins', limit: 1_000_000, window: DAY_SECONDS }];
  expect(await put(api, path, { limits })).toMatchObject({
    limits: [{ ...limits[0], used: expect.any(Number) }],
  });
  expect(await put(api, path, { limits: [] })).toEqual({ limits: [] });
});

test('people set limits on the pages; a wrong number is named and nothing typed is lost', async (context) => {
  if (findChromium() === null) context.skip(NO_CHROMIUM);
  const { api, errata, slug, dsn: dsnText } = await makeProject('limit-pages');
  const dsn = parseDsn(dsnText);
  await using browser = await launchChromium();
  const page = await signIn(browser, errata.url);
  await keepingScreenshot(page, 'limit-pages', async () => {
    await page.goto(`${errata.url}/main/settings/projects/${slug}/rate-limits`);
    await page.getByLabel('Errors', { exact: true }).fill('many');
    await page.getByLabel('Logs', { exact: true }).fill('1,000');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Enter a whole number, or leave the field empty.').waitFor();
    expect(await page.getByLabel('Logs', { exact: true }).inputValue()).toBe('1,000');
    await page.getByLabel('Errors', { exact: true }).fill('50');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Limits saved.').waitFor();
    await page.getByLabel('Threshold, events per issue per hour').fill('5');
    await page.getByRole('button', { name: 'Save spike protection' }).click();
    await page.getByText('The threshold must be a whole number').waitFor();
    await page.getByLabel('Threshold, events per issue per hour').fill('250');
    await page.getByRole('button', { name: 'Save spike protection' }).click();
    await page.getByText('Spike protection saved.').waitFor();
    expect(await api.get(`/api/0/projects/main/${slug}/rate-limits/`)).toMatchObject({
      limits: [
        { kind: 'errors', limit: 50, window: 3_600 },
        { kind: 'logs', limit: 1_000, window: 3_600 },
      ],
      spikeProtection: { isEnabled: true, bodiesPerHour: 250 },
    });

    await page.goto(`${errata.url}/main/settings/projects/${slug}/keys`);
    await page.getByLabel('Maximum errors').fill('7');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await page.getByText('It takes effect within a few seconds.').waitFor();
    expect(await api.get(keyPath(slug, dsn))).toMatchObject({ rateLimit: { count: 7, window: 60 } });

    await page.goto(`${errata.url}/main/settings/quotas`);
    await page.getByLabel('Check-ins', { exact: true }).fill('1000000');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Limits saved.').waitFor();
    await page.reload();
    await page.getByText(/of 1,000,000/).waitFor();
    expect(await page.getByLabel('Check-ins', { exact: true }).inputValue()).toBe('1000000');
    await page.getByLabel('Check-ins', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Limits saved.').waitFor();
    expect(await api.get('/api/0/organizations/main/quotas/')).toEqual({ limits: [] });
  });
});
