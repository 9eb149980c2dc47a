import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { enforceRetention } from '#product/retention/enforce-retention.ts';
import type { Stores } from '#product/stores.ts';
import { blobKey } from '#protocol/blob-key.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { DigestedAttachment } from '#protocol/telemetry.ts';
import type { DiskUsage } from '#storage/ports/stored-days.ts';
import { createMigratedClickhouse } from '../contract/engines.ts';
import { openPostgresStores, type Tenant } from '../contract/postgres-stores.ts';
import { DAY_MS, hashOf, makeEvent, NOON_MS, newEventId } from '../contract/sample-events.ts';
import { testInFull } from '../harness/is-full.ts';
import { RETENTION_DAYS, storesOver } from './stores-over.ts';

const GIB = 1024 ** 3;

let relational: Awaited<ReturnType<typeof openPostgresStores>>;
let clickhouse: ReturnType<typeof createMigratedClickhouse>;
let folder: string;
let stores: Stores;
let tenant: Tenant;

beforeAll(async () => {
  relational = await openPostgresStores({ name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') });
});
beforeEach(async () => {
  clickhouse = createMigratedClickhouse({
    name: 'embedded ClickHouse',
    url: inject('embeddedClickhouseUrl'),
  });
  folder = mkdtempSync(join(tmpdir(), 'errata-retention-'));
  stores = storesOver(relational.database, clickhouse, folder);
  tenant = await relational.createTenant();
  await relational.database.pool.query('DELETE FROM retention_drops');
  await relational.database.pool.query('DELETE FROM storage_shares');
  await relational.database.pool.query('DELETE FROM outcomes_hourly');
  await relational.database.pool.query('DELETE FROM issues');
  return async () => {
    await clickhouse.drop();
    rmSync(folder, { recursive: true, force: true });
  };
});
afterAll(async () => {
  await relational?.database.drop();
});

/** Stores events as digest does, all of one issue. */
async function ingest(hash: string, receivedAt: number, count = 1): Promise<readonly DigestedEvent[]> {
  const events = Array.from({ length: count }, () =>
    makeEvent({ ...tenant, groupingHash: hashOf(hash), occurredAt: receivedAt, receivedAt }),
  );
  await stores.events.insertEvents(events, randomBytes(8).toString('hex'));
  await relational.assignNext(events, { nowMs: receivedAt });
  return events;
}

async function attach(event: DigestedEvent, content: string): Promise<DigestedAttachment> {
  const attachmentId = newEventId();
  const key = blobKey(event.receivedAt, tenant.projectId, attachmentId);
  await stores.blobs.put(key, Buffer.from(content));
  const attachment: DigestedAttachment = {
    organizationId: tenant.organizationId,
    projectId: tenant.projectId,
    keyId: tenant.keyId,
    receivedAt: event.receivedAt,
    attachmentId,
    eventId: event.eventId,
    name: 'log.txt',
    contentType: 'text/plain',
    type: 'event.attachment',
    bytes: content.length,
    blobKey: key,
  };
  await stores.telemetry.insert({ attachments: [attachment] }, randomBytes(8).toString('hex'));
  return attachment;
}

const scope = () => ({ organizationId: tenant.organizationId, projectIds: [tenant.projectId] });

const expired = async () => {
  const series = await stores.outcomes.series(
    tenant.organizationId,
    [tenant.projectId],
    { fromMs: NOON_MS - 200 * DAY_MS, toMs: NOON_MS + DAY_MS },
    DAY_MS,
  );
  return series
    .filter(({ outcome }) => outcome === 'expired')
    .map(({ category, reason, total }) => [category, reason, total]);
};

/** A disk of which so many bytes must go: it is filled to 96 % of its budget, and data is dropped down to 85 %. */
const diskOver = (bytes: number) => ({ usedBytes: (bytes / 0.11) * 0.96, budgetBytes: bytes / 0.11 });

/** A disk that holds so much, whatever the folder says. */
const withDisk = (usage: Pick<DiskUsage, 'usedBytes' | 'budgetBytes'>): Stores => ({
  ...stores,
  storedDays: { ...stores.storedDays, clearingBytes: async () => 0 },
  disk: {
    measure: async () => ({
      ...usage,
      parts: { clickhouse: usage.usedBytes, postgres: 0, spool: 0, blobs: 0, artifacts: 0, other: 0 },
      volumeBytes: 100 * GIB,
      freeBytes: 50 * GIB,
    }),
  },
});

describe('by age', () => {
  test('what is older than its days goes, with its blobs and its issue; the rest stays', async () => {
    const [old] = await ingest('old', NOON_MS - (RETENTION_DAYS + 1) * DAY_MS, 3);
    const [kept] = await ingest('kept', NOON_MS - (RETENTION_DAYS - 1) * DAY_MS, 2);
    const oldFile = await attach(old!, 'old');
    const keptFile = await attach(kept!, 'kept');

    const result = await enforceRetention(stores, NOON_MS);

    expect(result).toMatchObject({ rows: 4, issues: 1, isOverBudget: false });
    expect(await stores.events.findEvent(scope(), old!.eventId)).toBeNull();
    expect(await stores.events.findEvent(scope(), kept!.eventId)).not.toBeNull();
    expect(await stores.blobs.size(oldFile.blobKey)).toBeNull();
    expect(await stores.blobs.size(keptFile.blobKey)).toBe(4);
    expect((await relational.listIssues(tenant)).map(({ timesSeen }) => timesSeen)).toEqual([2]);
    expect(await expired()).toEqual([
      ['attachment', 'age', 1],
      ['error', 'age', 3],
    ]);
  });

  testInFull('days decided for one kind leave the others alone', async () => {
    const [event] = await ingest('both', NOON_MS - 10 * DAY_MS);
    await stores.retention.saveDays({ logs: 5 });
    await enforceRetention(stores, NOON_MS);
    expect(await stores.events.findEvent(scope(), event!.eventId)).not.toBeNull();
    await stores.retention.saveDays({ errors: 5, logs: null });
    await enforceRetention(stores, NOON_MS);
    expect(await stores.events.findEvent(scope(), event!.eventId)).toBeNull();
    await stores.retention.saveDays({ errors: null });
  });

  testInFull('a blob that nothing names goes with its day', async () => {
    const orphan = blobKey(NOON_MS - (RETENTION_DAYS + 2) * DAY_MS, tenant.projectId, 'orphan');
    await stores.blobs.put(orphan, Buffer.from('lost'));
    await enforceRetention(stores, NOON_MS);
    expect(await stores.blobs.size(orphan)).toBeNull();
    expect((await stores.retention.listDrops(10)).map(({ kind }) => kind)).toEqual(['blobs']);
  });

  testInFull('an issue that was seen late but lost only old events stays', async () => {
    await ingest('mixed', NOON_MS - (RETENTION_DAYS + 1) * DAY_MS);
    await ingest('mixed', NOON_MS - DAY_MS);
    await enforceRetention(stores, NOON_MS);
    expect(await relational.listIssues(tenant)).toHaveLength(1);
  });
});

describe('for the disk budget', () => {
  test('the oldest days go first, and only as many as are needed', async () => {
    const [first] = await ingest('a', NOON_MS - 3 * DAY_MS, 50);
    const [second] = await ingest('b', NOON_MS - 2 * DAY_MS, 50);
    const [today] = await ingest('c', NOON_MS, 50);
    const [oldest] = await stores.storedDays.list();
    const isStored = async (event: DigestedEvent | undefined) =>
      (await stores.events.findEvent(scope(), event!.eventId)) !== null;

    await enforceRetention(withDisk(diskOver(oldest!.bytes - 1)), NOON_MS);
    expect([await isStored(first), await isStored(second), await isStored(today)]).toEqual([
      false,
      true,
      true,
    ]);

    await ingest('a', NOON_MS - 3 * DAY_MS, 50);
    const [again] = await stores.storedDays.list();
    await enforceRetention(withDisk(diskOver(again!.bytes + 1)), NOON_MS);
    expect([await isStored(second), await isStored(today)]).toEqual([false, true]);
    const drops = await stores.retention.listDrops(10);
    expect(drops.map(({ day, reason, doneAt }) => [day, reason, doneAt])).toEqual([
      ['2026-02-27', 'disk_budget', NOON_MS],
      ['2026-02-26', 'disk_budget', NOON_MS],
      ['2026-02-26', 'disk_budget', NOON_MS],
    ]);
  });

  testInFull('when only today is left, its oldest hours go', async () => {
    const [early] = await ingest('a', NOON_MS - 3_600_000, 200);
    const [late] = await ingest('b', NOON_MS, 200);
    const [today] = await stores.storedDays.list();
    const result = await enforceRetention(withDisk(diskOver(today!.bytes / 3)), NOON_MS);
    expect(result.drops).toBe(1);
    expect(await stores.events.findEvent(scope(), early!.eventId)).toBeNull();
    expect(await stores.events.findEvent(scope(), late!.eventId)).not.toBeNull();
    expect(await expired()).toEqual([['error', 'disk_budget', 200]]);
  });

  testInFull('a budget that nothing can meet says so, and is no error', async () => {
    const result = await enforceRetention(withDisk({ usedBytes: 2 * GIB, budgetBytes: GIB }), NOON_MS);
    expect(result.isOverBudget).toBe(true);
  });

  testInFull('the space is returned to the file system', async () => {
    const atMs = NOON_MS - 2 * DAY_MS;
    await ingest('a', atMs, 500);
    // Of this day: other tests leave parts of theirs.
    const day = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '');
    const bytes = async () =>
      (
        await clickhouse.query<{ bytes: number }>(
          `SELECT sum(bytes_on_disk) AS bytes FROM system.parts
           WHERE database = {database:String} AND partition_id = {day:String}`,
          { database: clickhouse.name, day },
        )
      )[0]!.bytes;
    const before = await bytes();
    await enforceRetention(withDisk({ usedBytes: 2 * GIB, budgetBytes: GIB }), NOON_MS);
    expect(before).toBeGreaterThan(10_000);
    // Active and inactive parts: nothing waits to be removed.
    expect(await bytes()).toBeLessThan(before / 10);
    // The narrow index forgets the rows; its next merge returns their space.
    expect(await clickhouse.query('SELECT count() AS rows FROM event_index', {})).toEqual([{ rows: 0 }]);
  });
});

testInFull('a drop that was cut off is finished by the next run, and counted once', async () => {
  const [event] = await ingest('cut', NOON_MS - (RETENTION_DAYS + 1) * DAY_MS, 4);
  const dying: Stores = {
    ...stores,
    storedDays: {
      ...stores.storedDays,
      drop: async () => {
        throw new Error('killed');
      },
    },
  };
  await expect(enforceRetention(dying, NOON_MS)).rejects.toThrow('killed');
  expect(await stores.events.findEvent(scope(), event!.eventId)).not.toBeNull();

  await enforceRetention(stores, NOON_MS);
  expect(await stores.events.findEvent(scope(), event!.eventId)).toBeNull();
  expect(await expired()).toEqual([['error', 'age', 4]]);
  expect(await stores.retention.listUnfinished()).toEqual([]);
});

test('the meter counts what files occupy below the folder', async () => {
  const data = mkdtempSync(join(tmpdir(), 'errata-meter-'));
  mkdirSync(join(data, 'blobs', '2026-01-01', '1'), { recursive: true });
  writeFileSync(join(data, 'blobs', '2026-01-01', '1', 'x'), randomBytes(1_000_000));
  const small = storesOver(relational.database, clickhouse, data, 5 * GIB);
  const usage = await small.disk.measure();
  expect(usage.parts.blobs).toBeGreaterThanOrEqual(1_000_000);
  expect(usage.parts.blobs).toBeLessThan(1_100_000);
  expect(usage.usedBytes).toBeGreaterThanOrEqual(usage.parts.blobs);
  expect(usage.budgetBytes).toBe(5 * GIB);
  const byDefault = await storesOver(relational.database, clickhouse, data).disk.measure();
  expect(byDefault.budgetBytes).toBe(Math.floor(Math.min(10 * GIB, byDefault.volumeBytes * 0.8)));
  rmSync(data, { recursive: true });
});
