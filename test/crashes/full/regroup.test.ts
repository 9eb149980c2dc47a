import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { connectCli } from '../../../src/main/connect-cli.ts';
import { type ApiClient, type ApiIssue, createApiClient } from '../../harness/api-client.ts';
import { type Dsn, eventEnvelope, newEventId, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { type ErrataServer, type Role, startErrata } from '../../harness/start-errata.ts';
import { everCounted } from '../../harness/stored-events.ts';
import { until } from '../../harness/until.ts';
import { waitUntilReady } from '../../harness/wait-until-ready.ts';

const ALL = [
  'regroup-noted',
  'regroup-scanned',
  'regroup-applied',
  'regroup-day-moved',
  'regroup-moved',
  'regroup-finished',
] as const;

const RULES = '/api/0/projects/main/web/grouping-rules/';
const REGROUPED = { timeoutMs: 150_000 };

/** Each costs half a minute of leases and settling; all of them are gone through in one process by the product tests. */
test.each(IS_FULL ? ALL : [])(
  'the jobs role dies at %s: the regroup goes on, and every event counts once',
  async (point) => {
    const faults = armable();
    await using server = await startErrata({ env: { ERRATA_FAULT_POINTS: faults.points } });
    const api = createApiClient(server.url, await server.token());
    const dsn = parseDsn(await server.project('web'));
    await send(dsn, { PayError: { one: 1, two: 2 }, CartError: { one: 1 } });
    await until('the issues', async () => (await listIssues(api)).length === 2);

    const before = (await server.pids()).jobs;
    faults.arm(point);
    await apply(api);
    await untilState(api, 'done');
    await until('another jobs role', async () => (await server.pids()).jobs !== before);
    expect(await countEvents(api)).toEqual([1, 1, 2]);
  },
);

type Kills = Partial<Record<'postgres' | 'clickhouse', (typeof ALL)[number]>>;
type Plan = { apply: Kills; undo: Kills };

/** Each store dies at each point, once while rules are applied and once while they are taken back. */
const PLANS: readonly Plan[] = IS_FULL
  ? ALL.map((point, index) => {
      const kills = { postgres: point, clickhouse: ALL[(index + 1) % ALL.length] };
      return { apply: kills, undo: kills };
    })
  : [{ apply: { clickhouse: 'regroup-noted', postgres: 'regroup-day-moved' }, undo: {} }];

test.each(PLANS)(
  'stores die in a regroup, $apply, and in its undo, $undo: it goes on, and the undo restores all',
  async (plan) => {
    const faults = armable();
    await using server = await startErrata({ env: { ERRATA_FAULT_POINTS: faults.points } });
    const api = createApiClient(server.url, await server.token());
    const dsn = parseDsn(await server.project('web'));
    await send(dsn, {
      PayError: { one: 20, two: 30 },
      CartError: { one: 10, two: 10 },
      OtherError: { one: 5 },
    });
    await until('the events', async () => (await countAll(api)) === 75);
    const before = await readState(api);
    expect(before.map(({ count }) => count).sort(byNumber)).toEqual([5, 20, 50]);

    const changeId = await whileKilling(server, faults, plan.apply, async () => {
      const id = await apply(api);
      await untilState(api, 'done');
      return id;
    });
    expect(await countEvents(api)).toEqual([5, 10, 20, 40]);

    await whileKilling(server, faults, plan.undo, async () => {
      await undo(server, changeId);
      await untilState(api, 'undone');
    });
    expect(await readState(api)).toEqual(before);
  },
);

/** Points that kill when they are armed: whoever reaches them, or the process with the given id. */
function armable() {
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-armed-'));
  const fileOf = (point: string) => path.join(folder, point);
  return {
    points: ALL.map((point) => `${point}:armed=${fileOf(point)}`).join(','),
    arm: (point: string, pid?: number) => writeFileSync(fileOf(point), pid === undefined ? '' : String(pid)),
    isArmed: (point: string) => existsSync(fileOf(point)),
  };
}

/** Does the work with the stores armed, and makes sure that each has died and runs again. */
async function whileKilling<Result>(
  server: ErrataServer,
  faults: ReturnType<typeof armable>,
  kills: Kills,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = await server.pids();
  const armed = Object.entries(kills) as [Role, string][];
  for (const [store, point] of armed) faults.arm(point, before[store]);
  const result = await work();
  for (const [store, point] of armed) {
    // The last point comes after what tells that the work is done.
    await until(`the death at ${point}`, () => !faults.isArmed(point));
    await until(`another ${store}`, async () => (await server.pids())[store] !== before[store]);
  }
  await waitUntilReady(server.url);
  return result;
}

/** How many events of which type and value; each type is an issue by its own fingerprint. */
async function send(dsn: Dsn, counts: Readonly<Record<string, Readonly<Record<string, number>>>>) {
  for (const [type, values] of Object.entries(counts)) {
    for (const [value, count] of Object.entries(values)) {
      for (let index = 0; index < count; index += 1) {
        const event = {
          event_id: newEventId(),
          fingerprint: [type],
          exception: { values: [{ type, value }] },
        };
        expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
      }
    }
  }
}

const listIssues = (api: ApiClient) =>
  api.get<ApiIssue[]>('/api/0/projects/main/web/issues/?query=&limit=25');
const byNumber = (a: number, b: number): number => a - b;

async function countAll(api: ApiClient): Promise<number> {
  return (await listIssues(api)).reduce((sum, issue) => sum + everCounted(issue), 0);
}

/** Answers the number of the change. */
async function apply(api: ApiClient): Promise<number> {
  const rules = { fingerprint: 'error.value:two -> two', applyTo: 'history' };
  const { status, body } = await api.request('PUT', RULES, rules);
  expect(status).toBe(202);
  return Number((body as { change: { id: string } }).change.id);
}

const untilState = (api: ApiClient, state: string) =>
  until(
    `a regroup that is ${state}`,
    async () => (await api.get<{ change: { state: string } }>(RULES)).change.state === state,
    REGROUPED,
  );

/** As the page does it; the API has no address for it. */
async function undo(server: ErrataServer, changeId: number): Promise<void> {
  const { stores, close } = await connectCli(parseConfig({ ERRATA_DATA_DIR: server.dataDir }));
  try {
    const [organization] = await stores.projects.listOrganizations();
    await stores.regroups.undo(organization!.id, changeId, null, Date.now());
  } finally {
    await close();
  }
}

/** Events of each issue, which its number says as well. */
async function countEvents(api: ApiClient): Promise<number[]> {
  const state = await readState(api);
  for (const { count, events } of state) expect(events).toHaveLength(count);
  return state.map(({ count }) => count).sort(byNumber);
}

/** What leads where: each issue with its numbers, hashes and events. */
async function readState(api: ApiClient) {
  const issues = await listIssues(api);
  const state = await Promise.all(
    issues.map(async ({ id, shortId, title, count, firstSeen, lastSeen }) => {
      const hashes = await api.list<{ id: string; timesSeen: number }>(`/api/0/issues/${id}/hashes/`);
      const events = await api.list<{ eventID: string }>(`/api/0/issues/${id}/events/`);
      return {
        ...{ shortId, title, firstSeen, lastSeen },
        count: Number(count),
        hashes: hashes.map((hash) => [hash.id, hash.timesSeen] as const).sort(),
        events: events.map(({ eventID }) => eventID).sort(),
      };
    }),
  );
  return state.sort((a, b) => a.shortId.localeCompare(b.shortId));
}
