import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { BlobRoom } from '#ingest/blob-room.ts';
import { createLog } from '#lib/log.ts';
import { HOUR_MS } from '#lib/time.ts';
import { enforceRetention } from '#product/retention/enforce-retention.ts';
import type { Stores } from '#product/stores.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { createMigratedClickhouse } from '../../contract/engines.ts';
import { openPostgresStores, type Tenant } from '../../contract/postgres-stores.ts';
import { DAY_MS, hashOf, makeEvent, NOON_MS, newEventId } from '../../contract/sample-events.ts';
import { storesOver } from '../stores-over.ts';

const MIB = 1024 * 1024;
const HISTORY_DAYS = 3;
const EVENTS_A_DAY = 40;
/** Of 150 MiB each: the attack as it was found. */
const ZEROS = 100;
const ZEROS_BYTES_MAX = 100_000;

let relational: Awaited<ReturnType<typeof openPostgresStores>>;
let clickhouse: ReturnType<typeof createMigratedClickhouse>;
let folder: string;
let stores: Stores;
/** Of two organizations. */
let attacked: Tenant;
let bystander: Tenant;
/** Everything that was stored before the attack, by whose it is. */
let history: Map<Tenant, { events: DigestedEvent[]; blobs: string[] }>;

beforeAll(async () => {
  relational = await openPostgresStores({ name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') });
});
beforeEach(async () => {
  clickhouse = createMigratedClickhouse({
    name: 'embedded ClickHouse',
    url: inject('embeddedClickhouseUrl'),
  });
  folder = mkdtempSync(join(tmpdir(), 'errata-attack-'));
  stores = storesOver(relational.database, clickhouse, folder);
  for (const table of ['storage_shares', 'retention_drops'])
    await relational.database.pool.query(`DELETE FROM ${table}`);
  attacked = await relational.createTenant();
  bystander = await relational.createTenant();
  history = new Map();
  for (const tenant of [attacked, bystander]) {
    const own = { events: [] as DigestedEvent[], blobs: [] as string[] };
    history.set(tenant, own);
    // The bystander has four times as much, and more than anybody: no reason to take it.
    const times = tenant === bystander ? 4 : 1;
    for (let day = HISTORY_DAYS; day >= 0; day--) {
      const at = NOON_MS - day * DAY_MS - 3 * HOUR_MS;
      own.events.push(...(await ingest(tenant, at, EVENTS_A_DAY * times, 4_000)));
      own.blobs.push(...(await attach(tenant, at, noise(3 * times, 20_000))));
    }
  }
  return async () => {
    await clickhouse.drop();
    rmSync(folder, { recursive: true, force: true });
  };
});
afterAll(async () => {
  await relational?.database.drop();
});

async function ingest(tenant: Tenant, at: number, count: number, bytes: number): Promise<DigestedEvent[]> {
  const events = Array.from({ length: count }, () => {
    const event = makeEvent({ ...tenant, groupingHash: hashOf('one'), occurredAt: at, receivedAt: at });
    return {
      ...event,
      payload: { ...event.payload, extra: { noise: randomBytes(bytes).toString('base64') } },
    };
  });
  await stores.events.insertEvents(events, randomBytes(8).toString('hex'));
  return events;
}

/** Answers their keys. */
async function attach(tenant: Tenant, at: number, contents: readonly Buffer[]): Promise<string[]> {
  const rows = contents.map((content) => {
    const attachmentId = newEventId();
    return {
      organizationId: tenant.organizationId,
      projectId: tenant.projectId,
      keyId: tenant.keyId,
      receivedAt: at,
      attachmentId,
      eventId: newEventId(),
      name: 'core.bin',
      contentType: 'application/octet-stream',
      type: 'event.attachment',
      bytes: content.length,
      blobKey: blobKey(at, tenant.projectId, attachmentId),
    };
  });
  for (const [index, content] of contents.entries())
    await stores.blobs.put(rows[index]?.blobKey ?? '', content);
  await stores.telemetry.insert({ attachments: rows }, randomBytes(8).toString('hex'));
  return rows.map((row) => row.blobKey);
}

const noneWaits = async () => ({ kind: 'none' as const });

const noise = (count: number, bytes: number): Buffer[] =>
  Array.from({ length: count }, () => randomBytes(bytes));

/** What the two stores occupy, as the meter of a server sees it. */
async function measure(): Promise<number> {
  const [row] = await clickhouse.query<{ bytes: number }>(
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = {database:String}',
    { database: clickhouse.name },
  );
  const blobs = await stores.blobs.listDays();
  return (row?.bytes ?? 0) + blobs.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** The stores with a budget, on a disk that holds what is really stored. */
const within = (budgetBytes: number): Stores => ({
  ...stores,
  disk: {
    async measure() {
      const usedBytes = await measure();
      const parts = { clickhouse: usedBytes, postgres: 0, spool: 0, blobs: 0, artifacts: 0, other: 0 };
      return { usedBytes, parts, budgetBytes, volumeBytes: budgetBytes * 10, freeBytes: budgetBytes };
    },
  },
});

/** What is left of the history, as shares of 1. */
async function leftOf(tenant: Tenant): Promise<{ events: number; blobs: number }> {
  const { events, blobs } = history.get(tenant) ?? { events: [], blobs: [] };
  const stored = await stores.events.findStored(events);
  const sizes = await Promise.all(blobs.map((key) => stores.blobs.size(key)));
  return {
    events: stored.size / events.length,
    blobs: sizes.filter((size) => size !== null).length / blobs.length,
  };
}

const ALL = { events: 1, blobs: 1 };
const dropsOf = async () =>
  (await stores.retention.listDrops(200)).map(({ kind, day, projectId, reason }) => ({
    kind,
    day,
    projectId,
    reason,
  }));

async function expectOthersUntouched(): Promise<void> {
  expect(await leftOf(bystander), 'the other organization').toEqual(ALL);
  expect(await leftOf(attacked), 'other days, and other hours, of the attacked project').toEqual(ALL);
  for (const drop of await dropsOf())
    expect(drop).toMatchObject({
      projectId: attacked.projectId,
      day: new Date(NOON_MS).toISOString().slice(0, 10),
    });
  const [late] = await ingest(attacked, NOON_MS + HOUR_MS, 1, 100);
  expect((await stores.events.findStored([late as DigestedEvent])).size, 'a new event arrives').toBe(1);
}

test(`${ZEROS} attachments of 150 MiB of zeros take next to nothing, and nothing is dropped`, async () => {
  const before = await measure();
  const zeros = Buffer.alloc(150 * MIB);
  await attach(attacked, NOON_MS, Array<Buffer>(ZEROS).fill(zeros));
  expect((await measure()) - before).toBeLessThan(ZEROS * ZEROS_BYTES_MAX + MIB);
  await enforceRetention(within(2 * (before + ZEROS * ZEROS_BYTES_MAX)), NOON_MS);
  await expectOthersUntouched();
  expect(await dropsOf()).toEqual([]);
}, 600_000);

test('a flood of attachments that cannot be compressed pushes out nothing but itself', async () => {
  const budget = 3 * (await measure());
  const room = new BlobRoom(stores, createLog('edge', 'fatal'));
  const flood: string[] = [];
  const attack = async () => {
    flood.push(...(await attach(attacked, NOON_MS, noise(Math.ceil(budget / MIB), MIB))));
  };
  await attack();
  expect(await measure()).toBeGreaterThan(budget);
  for (let minute = 0; minute < 2; minute++) {
    const result = await enforceRetention(within(budget), NOON_MS + minute * 60_000);
    expect(result.isOverBudget).toBe(false);
    await attack();
  }
  // An edge that meets the flood before the next run refuses its blobs, and those of nobody else.
  const result = await enforceRetention(
    {
      ...within(budget),
      retention: { ...stores.retention, beginDrop: () => Promise.reject(new Error('held')) },
    },
    NOON_MS,
  ).catch(() => null);
  expect(result).toBeNull();
  await room.refresh();
  expect(room.findLimit(attacked.projectId, NOON_MS)?.quota.reasonCode).toBe('blob_budget');
  await enforceRetention(within(budget), NOON_MS);
  await room.refresh();
  expect(room.findLimit(bystander.projectId, NOON_MS)).toBeNull();
  await expectOthersUntouched();
  const gone = await Promise.all(flood.map((key) => stores.blobs.size(key)));
  expect(gone.filter((size) => size === null).length).toBeGreaterThan(0);
}, 600_000);

test('a flood of events pushes out nothing but itself, and no attachments of others', async () => {
  const budget = 2 * (await measure());
  await ingest(attacked, NOON_MS, Math.ceil(budget / 200_000), 200_000);
  expect(await measure()).toBeGreaterThan(budget);
  const result = await enforceRetention(within(budget), NOON_MS);
  expect(result).toMatchObject({ isOverBudget: false });
  expect(result.rows).toBeGreaterThan(0);
  await expectOthersUntouched();
  await expect
    .poll(async () => (await measure()) - (await stores.storedDays.clearingBytes()), { timeout: 20_000 })
    .toBeLessThan(budget);
}, 600_000);

describe('bodies that no row names', () => {
  let keys: string[];
  let budget: number;
  /** As if all of them had arrived an hour ago. */
  let later: Stores;
  beforeEach(async () => {
    budget = 2 * (await measure());
    keys = [];
    for (let sent = 0; sent < budget; sent += MIB) {
      const key = blobKey(NOON_MS, attacked.projectId, newEventId());
      await stores.blobs.put(key, randomBytes(MIB));
      keys.push(key);
    }
    const { blobs } = stores;
    later = {
      ...within(budget),
      blobs: {
        ...blobs,
        deleteUnnamed: (day, projectId, findNamed, beforeMs) =>
          blobs.deleteUnnamed(day, projectId, findNamed, beforeMs + HOUR_MS),
      },
    };
  });
  const left = async () => {
    const sizes = await Promise.all(keys.map((key) => stores.blobs.size(key)));
    return sizes.filter((size) => size !== null).length;
  };

  test('go with the flood that left them', async () => {
    expect((await enforceRetention(later, NOON_MS, noneWaits)).isOverBudget).toBe(false);
    expect(await measure()).toBeLessThan(budget);
    expect(await left()).toBeLessThan(keys.length);
    await expectOthersUntouched();
  });

  test('stay while a record that may name them waits for digest, or is in quarantine', async () => {
    await enforceRetention(later, NOON_MS);
    expect(await left(), 'not known what waits').toBe(keys.length);
    const sinceMs = Date.now() - 2 * HOUR_MS;
    await enforceRetention(later, NOON_MS, async () => ({ kind: 'waiting', sinceMs }));
    expect(await left(), 'something older waits').toBe(keys.length);
    await relational.database.pool.query(
      `INSERT INTO quarantine (organization_id, project_id, category, reason, detail, attempts, received_at,
         quarantined_at, spool_id, position, item, record)
       VALUES ($1, $2, 'attachment', 'digest_failed', '', 3, $3, now(), 'a spool', 1, 0, '')`,
      [attacked.organizationId, attacked.projectId, new Date(NOON_MS)],
    );
    await enforceRetention(later, NOON_MS, noneWaits);
    expect(await left(), 'something is in quarantine').toBe(keys.length);
    await relational.database.pool.query('DELETE FROM quarantine');
    await enforceRetention(later, NOON_MS, noneWaits);
    expect(await left()).toBeLessThan(keys.length);
  });
});

test('a project over the budget that a person set loses its own oldest data, attachments first', async () => {
  const own = (await stores.blobs.listUsage()).filter(({ projectId }) => projectId === attacked.projectId);
  const blobBytes = own.reduce((sum, { bytes }) => sum + bytes, 0);
  const room = within(100 * (await measure()));
  await enforceRetention(room, NOON_MS);
  const usage = (await stores.retention.findState())?.projects.find(
    ({ projectId }) => projectId === attacked.projectId,
  );
  // Two thirds of its attachments have to go, and none of its events.
  const budget = Math.round(((usage?.bytes ?? 0) - (blobBytes * 2) / 3) / 0.85);
  expect(await stores.retention.saveBudget(attacked.projectId, budget)).toBe(true);
  expect(await stores.retention.saveBudget(999_999, budget)).toBe(false);
  await enforceRetention(room, NOON_MS);
  expect(await leftOf(bystander)).toEqual(ALL);
  const left = await leftOf(attacked);
  expect(left.events).toBe(1);
  expect(left.blobs).toBeLessThan(0.5);
  const drops = await dropsOf();
  expect(new Set(drops.map(({ reason }) => reason))).toEqual(new Set(['project_budget']));
  expect(drops.at(-1)?.day).toBe(new Date(NOON_MS - HISTORY_DAYS * DAY_MS).toISOString().slice(0, 10));
  await stores.retention.saveBudget(attacked.projectId, null);
});

test('rows are weighed by what they take compressed, not by their number or length', async () => {
  const text = { ...attacked, projectId: attacked.projectId };
  const day = new Date(NOON_MS - 20 * DAY_MS).toISOString().slice(0, 10);
  const at = NOON_MS - 20 * DAY_MS;
  const plain = Array.from({ length: 300 }, () =>
    makeEvent({ ...text, groupingHash: hashOf('plain'), occurredAt: at, receivedAt: at }),
  ).map((event) => ({ ...event, payload: { ...event.payload, extra: { noise: 'x'.repeat(20_000) } } }));
  await stores.events.insertEvents(plain, 'plain');
  await ingest(bystander, at, 30, 20_000);
  const shares = await stores.storedDays.weigh('events', day);
  const weightOf = (tenant: Tenant) =>
    shares.find(({ projectId }) => projectId === tenant.projectId)?.weight ?? 0;
  expect(shares.map(({ rows }) => rows).sort((a, b) => a - b)).toEqual([30, 300]);
  expect(weightOf(bystander)).toBeGreaterThan(3 * weightOf(attacked));
});
