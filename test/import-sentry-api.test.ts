import { afterEach, expect, test } from 'vitest';
import { isErrataError } from '#lib/errors.ts';
import { TRANSFER_KINDS, TRANSFER_RECORD, type TransferKind } from '#product/transfer/records.ts';
import { openSentrySource } from '#product/transfer/sources/sentry/api-source.ts';
import { openSentryApi } from '#product/transfer/sources/sentry/sentry-api.ts';
import type { ReadOptions, TransferItem } from '#product/transfer/transfer-source.ts';
import { EVENTS, PUBLIC_KEY, sentryOrganization } from './harness/sentry-organization.ts';
import { type SentryAnswer, startSentryServer } from './harness/sentry-server.ts';

const TOKEN = 'sntrys_secret';
const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(change: Readonly<Record<string, SentryAnswer>> = {}, token = TOKEN) {
  const server = await startSentryServer(TOKEN, { ...sentryOrganization(), ...change });
  servers.push(server);
  const source = openSentrySource(openSentryApi({ url: `${server.url}/`, token, gapMs: 0 }), 'acme');
  return { ...server, source };
}

/** Without events unless they are asked for: a page of them takes a second. */
async function read(
  { source }: Awaited<ReturnType<typeof serve>>,
  change: Partial<ReadOptions> = {},
): Promise<TransferItem[]> {
  const items: TransferItem[] = [];
  const options: ReadOptions = {
    kinds: new Set<TransferKind>(TRANSFER_KINDS.filter((kind) => kind !== 'event')),
    fromMs: 0,
    toMs: Number.MAX_SAFE_INTEGER,
    projects: null,
    after: null,
    listImported: async () => new Set(),
    progress: () => {},
    signal: new AbortController().signal,
    ...change,
  };
  for await (const item of source.read(options)) {
    if (item.kind !== 'checkpoint' && item.kind !== 'malformed') TRANSFER_RECORD.parse(item);
    items.push(item);
  }
  return items;
}

const of = <Kind extends TransferItem['kind']>(items: readonly TransferItem[], kind: Kind) =>
  items.filter((item): item is Extract<TransferItem, { kind: Kind }> => item.kind === kind);

test('people, projects with their keys, and settings', async () => {
  const items = await read(await serve());
  expect(of(items, 'organization')).toEqual([
    { kind: 'organization', id: '1', slug: 'acme', name: 'Acme', isOpen: true },
  ]);
  expect(of(items, 'member').map(({ email, name, role }) => [email, name, role])).toEqual([
    ['ada@acme.example', 'Ada', 'owner'],
    ['new@acme.example', null, 'viewer'],
  ]);
  expect(of(items, 'team')).toMatchObject([{ id: '21', slug: 'backend', members: ['ada@acme.example'] }]);
  expect(of(items, 'project')).toMatchObject([
    {
      number: 41,
      slug: 'web',
      teams: ['21'],
      keys: [{ publicKey: PUBLIC_KEY, label: 'Default', isActive: true }],
      fingerprintRules: 'type:A -> a',
      stackTraceRules: null,
      ownershipRules: 'path:src/* #backend',
    },
  ]);
  expect(of(items, 'release')).toMatchObject([
    {
      version: 'web@1.2.0',
      projects: ['41'],
      commits: [{ id: 'c0ffee', repository: 'acme/web', author: { email: 'ada@acme.example' } }],
      deploys: [{ environment: 'production' }],
    },
  ]);
  expect(of(items, 'monitor')).toMatchObject([
    {
      slug: 'nightly',
      schedule: { type: 'crontab', value: '0 3 * * *' },
      owner: { kind: 'team', team: '21' },
    },
  ]);
  expect(of(items, 'uptime_monitor')).toMatchObject([
    {
      url: 'https://acme.example/',
      intervalSeconds: 300,
      headerNames: ['X-Key'],
      definition: { timeoutSeconds: 5 },
    },
  ]);
  expect(of(items, 'saved_search').map(({ name }) => name)).toEqual(['Mine']);
  expect(of(items, 'dashboard')).toMatchObject([
    { id: '6', format: 'sentry', createdBy: 'ada@acme.example' },
  ]);
  expect(JSON.stringify(items)).not.toContain(TOKEN);
});

test('alert rules, and what of them has no counterpart', async () => {
  const items = await read(await serve());
  expect(of(items, 'alert_rule')).toMatchObject([
    {
      id: '71',
      project: '41',
      environment: 'production',
      definition: {
        kind: 'issue',
        triggers: ['first_seen'],
        filters: [{ kind: 'level', match: 'at_least', level: 'error' }],
        receivers: [
          { kind: 'team', team: '21' },
          { kind: 'destination', service: 'slack', name: '#errors' },
        ],
      },
    },
    {
      id: 'metric-81',
      definition: {
        kind: 'metric',
        measure: 'events',
        query: 'level:error',
        critical: 100,
        resolve: 50,
        receivers: [{ kind: 'user', email: 'ada@acme.example' }],
      },
    },
  ]);
  const unmapped = of(items, 'unmapped').map(({ of: kind, id }) => `${kind} ${id}`);
  expect(unmapped).toEqual(expect.arrayContaining(['alert_action 71/2', 'alert_rule 72']));
});

test('issues with state, assignee, history and counts', async () => {
  const issues = of(await read(await serve()), 'issue');
  expect(issues).toMatchObject([
    {
      id: '9001',
      shortId: 'WEB-1',
      status: 'resolved',
      resolution: { kind: 'release', release: 'web@1.3.0' },
      assignee: { kind: 'user', email: 'ada@acme.example' },
      priority: 'high',
      timesSeen: 1234,
      counts: [
        { minutes: 60, events: 3 },
        { minutes: 60, events: 5 },
      ],
    },
    {
      id: '9002',
      status: 'archived',
      archive: { kind: 'events', count: 100, windowMinutes: 60 },
      assignee: { kind: 'team', team: '21' },
    },
  ]);
  expect(issues[0]?.activities.map(({ type, data }) => [type, data])).toEqual([
    ['first_seen', {}],
    ['assigned', { email: 'ada@acme.example' }],
    ['note', { text: 'I know this one' }],
    ['set_resolved_in_release', { version: 'web@1.3.0' }],
  ]);
});

test('all pages of events, as SDKs would send them, and from where an earlier run stopped', async () => {
  const server = await serve();
  const kinds = new Set<TransferKind>(['event']);
  const items = await read(server, { kinds });
  const events = of(items, 'event');
  expect(new Set(events.map(({ id }) => id)).size).toBe(EVENTS);
  expect(events[0]).toMatchObject({
    project: '41',
    issue: '9001',
    payload: {
      level: 'error',
      release: 'web@1.2.0',
      environment: 'production',
      tags: [['plan', 'pro']],
      extra: { cart: 3 },
      modules: { react: '19.0.0' },
      exception: {
        values: [
          {
            type: 'TypeError',
            stacktrace: {
              frames: [
                {
                  abs_path: 'https://acme.example/app.js',
                  lineno: 12,
                  in_app: true,
                  pre_context: ['before'],
                  context_line: 'x.y()',
                  post_context: ['after'],
                },
              ],
            },
          },
        ],
      },
      breadcrumbs: { values: [{ message: 'click' }] },
      request: { url: 'https://acme.example/cart', query_string: [['a', '1']] },
    },
  });
  expect(events[0]?.payload).not.toHaveProperty('fingerprint');
  const middle = of(items, 'checkpoint').find(({ cursor }) => cursor.includes('0:100:0'));
  const rest = of(await read(server, { kinds, after: middle?.cursor ?? '' }), 'event');
  expect(rest.map(({ id }) => id)).toEqual(events.slice(100).map(({ id }) => id));
});

test('a server that asks to wait, or fails for a moment, is asked again', async () => {
  const path = '/organizations/acme/teams/';
  const left = [{ status: 429, headers: { 'retry-after': '1' } }, { status: 502 }];
  const server = await serve({ [path]: () => left.shift(), [`rows:${path}`]: sentryOrganization()[path]! });
  const begun = Date.now();
  expect(of(await read(server, { kinds: new Set(['team']) }), 'team')).toHaveLength(1);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(1_000);
  expect(server.requests.filter((request) => request.startsWith(path))).toHaveLength(3);
});

const failure = async (reading: Promise<unknown>) => {
  const error = await reading.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return isErrataError(error) ? `${error.code}: ${error.message}` : String(error);
};

test('what is wrong with a token is told, before events are read', async () => {
  expect(await failure(read(await serve({}, 'other')))).toMatch(/^unauthorized: .*does not accept the token/);
  const forbid = () => ({ status: 403, body: { detail: 'You do not have permission' } });
  const server = await serve({ '/organizations/acme/alert-rules/': forbid });
  const all = read(server, { kinds: new Set(TRANSFER_KINDS) });
  expect(await failure(all)).toMatch(/^forbidden: The token lacks the scope alerts:read/);
  expect(server.requests.filter((request) => request.includes('full=1'))).toHaveLength(1);
});

test('a redirect is not followed with the token', async () => {
  const other = await serve();
  const moved = () => ({ status: 302, headers: { location: `${other.url}/api/0/organizations/acme/` } });
  const server = await serve({ '/organizations/acme/': moved });
  expect(await failure(read(server))).toMatch(/^invalid: .*redirects to .*: name that server with --url/);
  expect(other.requests).toEqual([]);
});

test('what an older server does not have is told and left out', async () => {
  const answers = sentryOrganization();
  const { '/organizations/acme/uptime/': _, ...older } = answers;
  const server = await startSentryServer(TOKEN, older);
  servers.push(server);
  const source = openSentrySource(openSentryApi({ url: server.url, token: TOKEN, gapMs: 0 }), 'acme');
  const items = await read({ ...server, source });
  expect(of(items, 'unmapped').map(({ id }) => id)).toContain('uptime');
});

test.each(['ftp://sentry.example', 'sentry.example', 'https://user:word@sentry.example'])(
  '%s is no address',
  (url) => {
    expect(() => openSentryApi({ url, token: TOKEN, gapMs: 0 })).toThrow('is not the address of a server');
  },
);
