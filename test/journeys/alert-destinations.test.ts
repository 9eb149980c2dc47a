import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  ALERT_SCOPES,
  addRule,
  type OpenDestination,
  openAllDestinations,
} from '../harness/alert-destinations.ts';
import { type ApiClient, createApiClient } from '../harness/api-client.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { sharedErrata } from '../harness/shared-errata.ts';

/** From an event that is answered to a message that arrived, on a server with nothing else to do. */
const ARRIVAL_MS_MAX = 5_000;
const PATIENCE_MS = 30_000;

let api: ApiClient;
let destinations: OpenDestination[] = [];

beforeAll(async () => {
  const errata = sharedErrata();
  api = createApiClient(errata.url, await errata.token(ALERT_SCOPES));
  destinations = await openAllDestinations(api);
});
afterAll(async () => {
  for (const { id, service } of destinations) {
    await service.close();
    await api.request('DELETE', `/api/0/organizations/main/destinations/${id}/`);
  }
});

test('a new issue is at every kind of destination within five seconds, as each of them wants it', async () => {
  const slug = `told-${Math.random().toString(36).slice(2, 8)}`;
  const dsn = parseDsn(await sharedErrata().project(slug));
  const ids = destinations.map(({ id }) => id);
  await addRule(api, slug, ids);
  const event = makeJavascriptError({ issue: 3, bytes: 3_000 });
  const sentAt = Date.now();
  expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
  for (const { kind, service } of destinations) {
    const message = await service.next(({ text }) => text.includes(slug), PATIENCE_MS);
    expect([kind, message.problems]).toEqual([kind, []]);
    expect(message.text.replaceAll('\\', '')).toContain('Cannot read properties of undefined');
    expect([kind, message.atMs - sentAt < ARRIVAL_MS_MAX]).toEqual([kind, true]);
  }
});

test('a pager hears that the issue is resolved within five seconds', async () => {
  const { service } = destinations.find(({ kind }) => kind === 'pagerduty')!;
  const trigger = await service.next(({ body }) => body.event_action === 'trigger');
  const id = String(trigger.body.dedup_key).replace('errata-issue-', '');
  const resolvedAt = Date.now();
  const path = `/api/0/organizations/main/issues/?id=${id}`;
  expect(await api.request('PUT', path, { status: 'resolved' })).toMatchObject({ status: 200 });
  const closing = await service.next(({ body }) => body.event_action === 'resolve', PATIENCE_MS);
  expect([closing.body.dedup_key, closing.problems]).toEqual([trigger.body.dedup_key, []]);
  expect(closing.atMs - resolvedAt).toBeLessThan(ARRIVAL_MS_MAX);
});

test('a test message says what it is, and a destination that refuses is told in a sentence', async () => {
  const [hook] = destinations;
  const press = (id: string) => api.request('POST', `/api/0/organizations/main/destinations/${id}/test/`);
  expect(await press(hook!.id)).toMatchObject({ status: 200, body: { isSent: true, reason: null } });
  expect(hook!.service.received.at(-1)?.text).toContain('This is a test');
  hook!.service.answerWith({ status: 410 });
  expect(await press(hook!.id)).toMatchObject({
    body: { isSent: false, reason: expect.stringContaining('there is no such address any more') },
  });
});

test.each([
  'http://127.0.0.2:9/',
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]:9000/',
  'http://[::ffff:192.168.0.1]/',
  'http://2130706434/',
])('%s is an address of an inner network, and nothing is posted there', async (url) => {
  const draft = { kind: 'slack', name: `Inside ${Math.random()}`, fields: { url } };
  const saved = await api.request('POST', '/api/0/organizations/main/destinations/', draft);
  const { id } = saved.body as { id: string };
  const tested = await api.request('POST', `/api/0/organizations/main/destinations/${id}/test/`);
  expect(tested.body).toMatchObject({ isSent: false, reason: expect.stringContaining('inner network') });
  await api.request('DELETE', `/api/0/organizations/main/destinations/${id}/`);
});

test('a redirect leads nowhere', async () => {
  const [hook, other] = destinations;
  const before = other!.service.received.length;
  hook!.service.answerWith({ status: 307, headers: { location: `${other!.service.url}/` } });
  const tested = await api.request('POST', `/api/0/organizations/main/destinations/${hook!.id}/test/`);
  hook!.service.answerWith(null);
  expect(tested.body).toMatchObject({ isSent: false, reason: expect.stringContaining('leads elsewhere') });
  expect(other!.service.received).toHaveLength(before);
});
