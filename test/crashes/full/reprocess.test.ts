import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { connectCli } from '../../../src/main/connect-cli.ts';
import { type ApiClient, type ApiFrame, type ApiIssue, createApiClient } from '../../harness/api-client.ts';
import { type Dsn, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { makeSourceMap } from '../../harness/make-source-map.ts';
import { listProcessTree } from '../../harness/processes.ts';
import { type ErrataServer, type Role, startErrata } from '../../harness/start-errata.ts';
import { everCounted } from '../../harness/stored-events.ts';
import { until } from '../../harness/until.ts';
import { type BundledFile, uploadBundle } from '../../harness/upload-bundle.ts';

const ALL = [
  'reprocess-noted',
  'reprocess-scanned',
  'reprocess-day-replaced',
  'reprocess-applied',
  'reprocess-day-moved',
  'reprocess-moved',
  'reprocess-finished',
] as const;
/** Each costs half a minute of leases; the product tests go through them in one process. */
const KILLS: readonly [Role, (typeof ALL)[number]][] = IS_FULL
  ? ALL.flatMap((point) => [
      ['jobs', point] as [Role, typeof point],
      ['clickhouse', point] as [Role, typeof point],
    ])
  : [['jobs', 'reprocess-day-replaced']];

const RELEASE = 'shop@1.0';
const URL_OF_APP = 'https://shop.example.com/assets/app.js';
const LINES = Array.from({ length: 12 }, (_, line) => `line ${line + 1}`).join('\n');
const MAP = makeSourceMap(
  [{ name: '../src/cart.ts', content: LINES }],
  [
    { at: [0, 0], from: [0, 4, 0], name: 'applyCoupon' },
    { at: [0, 50], from: [0, 8, 0], name: 'total' },
  ],
);
const FILES: readonly BundledFile[] = [
  { type: 'minified_source', url: '~/assets/app.js', content: 'a()', headers: { sourcemap: 'app.js.map' } },
  { type: 'source_map', url: '~/assets/app.js.map', content: MAP },
];
const SCOPES = 'org:read,project:read,project:write,project:releases,event:read,event:write';

test.each(KILLS)(
  '%s dies at %s: uploads are applied all the same, and every event counts once',
  async (role, point) => {
    const armed = path.join(mkdtempSync(path.join(tmpdir(), 'errata-armed-')), point);
    await using server = await startErrata({ env: { ERRATA_FAULT_POINTS: `${point}:armed=${armed}` } });
    const { api, token } = await openApi(server);
    const dsn = parseDsn(await server.project('shop'));
    // Two names in the bundle for one place in the source.
    const ids = [await send(dsn, 'a'), await send(dsn, 'a'), await send(dsn, 'b')];
    for (const id of ids) await findEvent(api, 'shop', id, 20_000);
    expect(await countIssues(api)).toEqual([1, 2]);

    await uploadBundle({ url: server.url, token, api }, { projects: ['shop'], version: RELEASE }, FILES);
    const before = await server.pids();
    writeFileSync(armed, role === 'jobs' ? '' : String(before[role]));
    await apply(server);
    await until('one issue of all events', async () => (await countIssues(api)).join() === '3', {
      timeoutMs: 150_000,
    });
    // Issues are one before the last points are reached.
    await until(`the death at ${point}`, () => !existsSync(armed), { timeoutMs: 150_000 });
    for (const id of ids) expect((await frameOf(api, id)).filename).toBe('../src/cart.ts');
    await until(`another ${role}`, async () => (await server.pids())[role] !== before[role]);
  },
);

test('events wait for their map while a store does not answer', async () => {
  await using server = await startErrata();
  const { api, token } = await openApi(server);
  const dsn = parseDsn(await server.project('shop'));
  await uploadBundle({ url: server.url, token, api }, { projects: ['shop'], version: RELEASE }, FILES);
  // By now the edge knows the key: it could not ask for it while the store is held.
  const first = eventEnvelope({ event_id: newEventId(), message: 'before' });
  expect((await postEnvelope(dsn, first)).status).toBe(200);
  const held = listProcessTree([(await server.pids()).postgres]);
  for (const pid of held) process.kill(pid, 'SIGSTOP');
  const id = await send(dsn, 'a');
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  for (const pid of held) process.kill(pid, 'SIGCONT');
  await findEvent(api, 'shop', id, 60_000);
  expect(await frameOf(api, id)).toMatchObject({ filename: '../src/cart.ts', lineNo: 5 });
});

async function openApi(server: ErrataServer): Promise<{ api: ApiClient; token: string }> {
  const token = await server.token(SCOPES);
  return { api: createApiClient(server.url, token), token };
}

async function send(dsn: Dsn, name: string): Promise<string> {
  const frame = {
    function: name,
    filename: '/assets/app.js',
    abs_path: URL_OF_APP,
    lineno: 1,
    colno: 1,
    in_app: true,
  };
  const event = {
    event_id: newEventId(),
    platform: 'javascript',
    release: RELEASE,
    exception: {
      values: [
        { type: 'TypeError', value: 'broken', stacktrace: { frames: [{ ...frame, colno: 51 }, frame] } },
      ],
    },
  };
  expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
  return event.event_id;
}

async function frameOf(api: ApiClient, id: string): Promise<ApiFrame> {
  const { event } = await findEvent(api, 'shop', id, 20_000);
  const data = event.entries.find(({ type }) => type === 'exception')?.data ?? { values: [] };
  const [exception] = data.values as readonly { stacktrace: { frames: readonly ApiFrame[] } }[];
  const frame = exception?.stacktrace.frames.at(-1);
  if (!frame) throw new Error(`The event ${id} has no frame`);
  return frame;
}

async function countIssues(api: ApiClient): Promise<number[]> {
  const issues = await api.get<ApiIssue[]>('/api/0/projects/main/shop/issues/?query=&limit=25');
  return issues.map(everCounted).sort((a, b) => a - b);
}

/** As the page does it; the API has no address for it. */
async function apply(server: ErrataServer): Promise<void> {
  const { stores, close } = await connectCli(parseConfig({ ERRATA_DATA_DIR: server.dataDir }));
  try {
    const [organization] = await stores.projects.listOrganizations();
    const projects = await stores.projects.listProjects(organization!.id);
    const project = projects.find(({ slug }) => slug === 'shop');
    const scope = { kind: 'release', version: RELEASE } as const;
    await stores.reprocesses.begin(organization!.id, project!.id, scope, null, Date.now());
  } finally {
    await close();
  }
}
