import { afterAll, beforeAll, expect, test } from 'vitest';
import { DESTINATION_KINDS_FIELDS } from '#product/destinations/destination-kinds.ts';
import {
  ALERT_SCOPES,
  ARRIVAL_MS_MAX,
  addRule,
  type OpenDestination,
  openAllDestinations,
  openDestination,
} from '../harness/alert-destinations.ts';
import { type ApiClient, createApiClient } from '../harness/api-client.ts';
import { SERVICES } from '../harness/check-formats.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../harness/envelope.ts';
import { testInFull } from '../harness/is-full.ts';
import { cookiesOf, postSignIn } from '../harness/plain-form.ts';
import { makeJavascriptError } from '../harness/sample-event.ts';
import { sharedErrata } from '../harness/shared-errata.ts';
import { until } from '../harness/until.ts';

const PATIENCE_MS = 30_000;
/** Between the first try and the second. */
const RETRY_MS = 5_000;
const DESTINATIONS = '/api/0/organizations/main/destinations/';

let api: ApiClient;
let destinations: OpenDestination[] = [];
/** A service that cannot take the first message. */
let overloaded: OpenDestination;

beforeAll(async () => {
  const errata = sharedErrata();
  api = createApiClient(errata.url, await errata.token(ALERT_SCOPES));
  destinations = await openAllDestinations(api);
  overloaded = await openDestination(api, 'webhook');
  overloaded.service.answerWith({ status: 503 });
});
afterAll(async () => {
  for (const { id, service } of [...destinations, ...(overloaded ? [overloaded] : [])]) {
    await service.close();
    await api.request('DELETE', `${DESTINATIONS}${id}/`);
  }
});

test('a new issue is at every kind of destination within five seconds, as each of them wants it', async () => {
  const slug = `told-${Math.random().toString(36).slice(2, 8)}`;
  const dsn = parseDsn(await sharedErrata().project(slug));
  await addRule(
    api,
    slug,
    [...destinations, overloaded].map(({ id }) => id),
  );
  const event = makeJavascriptError({ issue: 3, bytes: 3_000 });
  const sentAt = Date.now();
  expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
  await overloaded.service.next();
  overloaded.service.answerWith(null);
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
  const press = (id: string) => api.request('POST', `${DESTINATIONS}${id}/test/`);
  expect(await press(hook!.id)).toMatchObject({ status: 200, body: { isSent: true, reason: null } });
  expect(hook!.service.received.at(-1)?.text).toContain('This is a test');
  hook!.service.answerWith({ status: 410 });
  expect(await press(hook!.id)).toMatchObject({
    body: { isSent: false, reason: expect.stringContaining('the URL no longer exists') },
  });
});

test.each([
  'http://127.0.0.2:9/',
  'http://10.0.0.1/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]:9000/',
  'http://[::ffff:192.168.0.1]/',
  'http://2130706434/',
])('%s is an address of a private network, and nothing is posted there', async (url) => {
  const draft = { kind: 'slack', name: `Inside ${Math.random()}`, fields: { url } };
  const saved = await api.request('POST', DESTINATIONS, draft);
  const { id } = saved.body as { id: string };
  const tested = await api.request('POST', `${DESTINATIONS}${id}/test/`);
  expect(tested.body).toMatchObject({ isSent: false, reason: expect.stringContaining('private network') });
  await api.request('DELETE', `${DESTINATIONS}${id}/`);
});

test('a redirect leads nowhere', async () => {
  const [hook, other] = destinations;
  const before = other!.service.received.length;
  hook!.service.answerWith({ status: 307, headers: { location: `${other!.service.url}/` } });
  const tested = await api.request('POST', `${DESTINATIONS}${hook!.id}/test/`);
  hook!.service.answerWith(null);
  expect(tested.body).toMatchObject({ isSent: false, reason: expect.stringContaining('the URL redirects') });
  expect(other!.service.received).toHaveLength(before);
});

/** What must not be seen again; of an address, where it leads. */
function secretsOf({ kind, service }: OpenDestination): readonly string[] {
  const fields = SERVICES[kind].fields(service.url);
  return DESTINATION_KINDS_FIELDS[kind].fields
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ key }) => fields[key] ?? [])
    .map((secret) => {
      const address = URL.parse(secret);
      return address ? `${address.host}${address.pathname}` : secret;
    });
}

testInFull('no answer and no page shows a secret again, of any kind', async () => {
  const { url } = sharedErrata();
  const cookie = cookiesOf(await postSignIn(url));
  const page = async (path: string) => {
    const answer = await fetch(`${url}${path}`, { headers: { cookie } });
    return { status: answer.status, body: await answer.text() };
  };
  const seen = async (what: string, asked: Promise<{ status: number; body: unknown }>, holds: string) => {
    const { status, body } = await asked;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    expect([what, status, text.includes(holds)]).toEqual([what, 200, true]);
    return { what, text };
  };
  const lists = [
    await seen('list', api.request('GET', DESTINATIONS), '"kind":"ntfy"'),
    await seen('page of the list', page('/main/settings/destinations'), 'Google Chat'),
  ];
  for (const destination of destinations) {
    const { id, kind } = destination;
    const path = `${DESTINATIONS}${id}/`;
    const secrets = secretsOf(destination);
    expect([kind, secrets.length > 0]).toEqual([kind, true]);
    const answers = [
      ...lists,
      await seen('one', api.request('GET', path), `"id":"${id}"`),
      await seen('change', api.request('PUT', path, { name: `Hidden ${kind}` }), `Hidden ${kind}`),
      await seen('log', api.request('GET', `${path}deliveries/`), '"state":"sent"'),
      await seen('page', page(`/main/settings/destinations/${id}`), `Hidden ${kind}`),
    ];
    const shown = answers.flatMap(({ what, text }) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${what} of ${kind}: ${secret}`),
    );
    expect(shown).toEqual([]);
  }
});

testInFull(
  'what a service could not take comes again five seconds later, with the same words and the same id',
  async () => {
    const { id, service } = overloaded;
    const again = await until('another try', () => service.received[1], { timeoutMs: PATIENCE_MS });
    const [first] = service.received;
    expect(again.problems).toEqual([]);
    expect([again.headers['errata-delivery'], again.headers['request-id'], again.text]).toEqual([
      first!.headers['errata-delivery'],
      first!.headers['request-id'],
      first!.text,
    ]);
    expect(again.atMs - first!.atMs).toBeGreaterThanOrEqual(RETRY_MS);
    const sent = await until('its end in the log', async () => {
      const [row] = await api.get<{ state: string }[]>(`${DESTINATIONS}${id}/deliveries/`);
      return row?.state === 'sent' ? row : null;
    });
    expect(sent).toMatchObject({ id: first!.headers['errata-delivery'], attempts: 2, lastStatus: 200 });
    expect(service.received).toHaveLength(2);
  },
);
