import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parseConfig } from '#config.ts';
import { parseBlobAddress } from '#lib/blob-address.ts';
import { createLog } from '#lib/log.ts';
import { createBackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { openBackupParts } from '#main/backups/backup-parts.ts';
import { openBackupTarget } from '#main/backups/backup-target.ts';
import { openRestorePlace, openScratchPlace } from '#main/backups/restore-place.ts';
import { refuseUnfinishedRestore } from '#main/backups/unfinished-restore.ts';
import { createBackupStore } from '#product/backups/backup-store.ts';
import { type BackupParts, createBackup } from '#product/backups/create-backup.ts';
import { listBackups, pruneBackups } from '#product/backups/list-backups.ts';
import { readManifest, writeManifest } from '#product/backups/manifest-file.ts';
import { restoreBackup } from '#product/backups/restore-backup.ts';
import { verifyBackup } from '#product/backups/verify-backup.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import { openRecentIds } from '#storage/lmdb/recent-ids.ts';
import { createBatchGate, createDigestPause } from '#storage/postgres/backup/digest-pause.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { putIntoInbox } from '#storage/spool-files/inbox.ts';
import { openSpoolReader } from '#storage/spool-files/open-spool-reader.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { createEmptyPostgres, openMissingClickhouse } from '../contract/engines.ts';
import { testInFull } from '../harness/is-full.ts';
import {
  installS3Server,
  S3_BUCKET,
  S3_CREDENTIALS,
  s3Missing,
  startS3Server,
} from '../harness/s3-server.ts';
import { type Filled, openFilledProduct } from './fill-telemetry.ts';

const log = createLog('backups', 'silent');
const keys = createBackupKeys('a phrase of the operator, long enough');
const SECRET = 'a secret of the instance that seals things';
const POSTGRES = { name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') };
const CLICKHOUSE = { name: 'embedded ClickHouse', url: inject('embeddedClickhouseUrl') };
/** Of the records in the spool one is counted. */
const COUNTED = 1;
const READ = { records: 100, bytes: 1e6 };

let filled: Filled;
let parts: BackupParts;
const folders: string[] = [];
const makeFolder = (): string => {
  const folder = mkdtempSync(path.join(tmpdir(), 'errata-backups-'));
  folders.push(folder);
  return folder;
};
const records = [Buffer.from('counted'), randomBytes(300), randomBytes(2_000)];
/** Those behind what is counted; monitors of the scene hand in others over the inbox. */
const waiting: Buffer[] = [];
const handedIn = randomBytes(400);

beforeAll(async () => {
  filled = await openFilledProduct();
  const { product } = filled;
  const spool = path.join(product.folder, 'spool');
  const writer = openSpoolWriter(spool, 1e9);
  for (const record of records) await writer.append([record]);
  await writer.close();
  const reader = openSpoolReader(spool);
  await sql`INSERT INTO spool_positions (spool_id, position) VALUES (${reader.spoolId}, ${COUNTED})`.execute(
    product.db,
  );
  waiting.push(...reader.read(COUNTED, READ).map(({ bytes }) => Buffer.from(bytes)));
  await reader.close();
  await putIntoInbox(spool, [handedIn]);
  const ids = openRecentIds(spool);
  const remembered = [1, 2, 3].map((position) => ({
    projectId: filled.web.id,
    eventId: String(position).repeat(32),
    position,
  }));
  for (const id of remembered) await ids.remember([id], Date.now());
  await ids.close();
  const config = parseConfig({ ERRATA_DATA_DIR: product.folder });
  const { databaseUrl, clickhouseUrl } = product;
  parts = openBackupParts(
    config,
    { databaseUrl, databaseDirectUrl: null, clickhouseUrl, secret: SECRET },
    { withSecrets: true, log },
  );
});
afterAll(async () => {
  await filled?.product.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const backUp = (folder: string, of = parts) =>
  createBackup(of, openBackupFolder(folder), { keys, now: Date.now, onProgress: () => {} });

test('everything of an instance comes back on another machine with stores of its own', {
  timeout: 180_000,
}, async () => {
  const folder = makeFolder();
  const target = openBackupFolder(folder);
  const { head } = await backUp(folder);
  expect(head).toMatchObject({ events: 1, isEncrypted: true, hasSecrets: true });
  expect(await verifyBackup(target, head.id, keys)).toMatchObject({ problems: [], hasOpened: true });
  const dataDir = path.join(makeFolder(), 'data');
  const config = parseConfig({ ERRATA_DATA_DIR: dataDir });
  const place = await openRestorePlace(config, log);
  let isDone = false;
  try {
    expect(() => refuseUnfinishedRestore(dataDir)).toThrow('was interrupted');
    const restored = await restoreBackup(place.parts, target, head.id, keys);
    expect(restored).toMatchObject({ differences: [], events: 1 });
    expect(restored.waiting).toBeGreaterThan(waiting.length);
    // Tables with rows of every kind, or the comparison would compare nothing.
    expect(restored.partitions).toBeGreaterThan(10);
    expect(restored.rows).toBeGreaterThanOrEqual(20);
    expect(restored.files).toBe(5);
    isDone = true;
  } finally {
    await place.close(isDone);
  }
  refuseUnfinishedRestore(dataDir);
  expect(readFileSync(path.join(dataDir, 'secret'), 'utf8')).toBe(`${SECRET}\n`);
  for (const name of readdirSync(path.join(filled.product.folder, 'blobs'), {
    recursive: true,
    encoding: 'utf8',
  })) {
    if (!name.endsWith('+z')) continue;
    const [here, there] = [filled.product.folder, dataDir].map((dir) =>
      readFileSync(path.join(dir, 'blobs', name)),
    );
    expect(here!.equals(there!)).toBe(true);
  }
  const reader = openSpoolReader(path.join(dataDir, 'spool'));
  const there = reader.read(COUNTED, READ);
  expect(there.slice(0, waiting.length).map(({ bytes }) => Buffer.from(bytes))).toEqual(waiting);
  expect(there.map(({ position }) => position)).toEqual(there.map((_, index) => COUNTED + 1 + index));
  // What was handed in, and what the writer had not taken in yet.
  expect(there.some(({ bytes }) => handedIn.equals(bytes))).toBe(true);
  await reader.close();
  const ids = openRecentIds(path.join(dataDir, 'spool'));
  // What comes again has its own position; what is stored and counted has one before.
  expect(ids.find(filled.web.id, '2'.repeat(32))).toBe(2);
  expect(ids.find(filled.web.id, '3'.repeat(32))).toBe(3);
  await ids.close();
});

testInFull(
  'it comes back in external stores, which must be empty',
  async () => {
    const folder = makeFolder();
    const target = openBackupFolder(folder);
    const runs = createBackupStore(filled.product.db);
    const runId = await runs.begin({ origin: 'command', folder, requestedBy: null }, Date.now());
    const { head } = await backUp(folder);
    await runs.finish(runId, head, 0, Date.now());
    const relational = await createEmptyPostgres(POSTGRES);
    const analytic = openMissingClickhouse(CLICKHOUSE);
    const open = (dataDir: string) =>
      openRestorePlace(
        parseConfig({ ERRATA_DATA_DIR: dataDir, DATABASE_URL: relational.url, CLICKHOUSE_URL: analytic.url }),
        log,
      );
    const place = await open(path.join(makeFolder(), 'data'));
    try {
      expect(await restoreBackup(place.parts, target, head.id, keys)).toMatchObject({ differences: [] });
      await expect(restoreBackup(place.parts, target, head.id, keys)).rejects.toThrow(
        /PostgreSQL has \d+ tables, and ClickHouse has/,
      );
      const restored = openPostgres(relational.url);
      const {
        rows: [catalog],
      } = await restored.pool.query(CATALOG);
      const {
        rows: [former],
      } = await filled.product.pool.query(CATALOG);
      expect(catalog).toEqual(former);
      // It was under way when it was cut.
      expect(await createBackupStore(restored.db).listRuns(1)).toMatchObject([
        { id: runId, state: 'done', backupId: head.id, events: 1, isEncrypted: true },
      ]);
      await restored.close();
    } finally {
      await place.close(true);
      await relational.drop();
      await analytic.drop();
    }
  },
  180_000,
);

testInFull(
  'it lies in a bucket as in a folder',
  async (context) => {
    if (!installS3Server()) return context.skip(s3Missing() ?? '');
    const server = await startS3Server();
    const config = parseConfig({
      ERRATA_DATA_DIR: path.join(makeFolder(), 'data'),
      ERRATA_S3_ACCESS_KEY_ID: S3_CREDENTIALS.accessKeyId,
      ERRATA_S3_SECRET_ACCESS_KEY: S3_CREDENTIALS.secretAccessKey,
    });
    const address = `s3://${S3_BUCKET}/errata?endpoint=${server.endpoint}`;
    try {
      const target = await openBackupTarget(config, address);
      const options = { keys, now: Date.now, onProgress: () => {} };
      const first = await createBackup(parts, target, options);
      const { head } = await createBackup(parts, target, options);
      // What waits in the spool alone.
      expect(head.newBytes).toBeLessThan(first.head.newBytes / 2);
      expect(await verifyBackup(target, head.id, keys)).toMatchObject({ problems: [], hasOpened: true });
      const place = await openScratchPlace(parseConfig({}), makeFolder(), log);
      try {
        expect(await restoreBackup(place.parts, target, head.id, keys)).toMatchObject({
          differences: [],
          events: 1,
        });
      } finally {
        await place.close(true);
      }
      await pruneBackups(target, { keep: 1, removesDamaged: false });
      expect(await listBackups(target)).toMatchObject([{ kind: 'sound', id: head.id }]);
      const [object] = (await target.list()).filter(({ name }) => name.startsWith('objects/'));
      await target.delete(object!.name);
      expect((await verifyBackup(target, head.id, keys)).problems.join()).toContain(
        object!.name.split('/').at(-1),
      );
    } finally {
      await server.remove();
    }
  },
  180_000,
);

/** Everything that a restore takes away and puts back. */
const CATALOG = `SELECT
  (SELECT array_agg(conname::text || ' ' || pg_get_constraintdef(oid) ORDER BY conname, conrelid::regclass::text)::text
     FROM pg_constraint WHERE connamespace = 'public'::regnamespace) AS constraints,
  (SELECT array_agg(tgname::text || tgenabled::text ORDER BY tgname)::text FROM pg_trigger WHERE NOT tgisinternal) AS triggers,
  (SELECT array_agg(sequencename::text || coalesce(last_value, 0)::text ORDER BY sequencename)::text
     FROM pg_sequences WHERE schemaname = 'public') AS sequences,
  (SELECT count(*) FROM pg_indexes WHERE schemaname = 'public') AS indexes`;

testInFull('nothing that did not change is copied again', async () => {
  const folder = makeFolder();
  const target = openBackupFolder(folder);
  const first = await backUp(folder);
  const second = await backUp(folder);
  const [before, after] = await Promise.all(
    [first, second].map(({ head }) => readManifest(target, head.id, keys)),
  );
  expect(after!.content.clickhouse.partitions).toEqual(before!.content.clickhouse.partitions);
  expect(after!.content.files).toEqual(before!.content.files);
  expect(after!.content.postgres.tables).toEqual(before!.content.postgres.tables);
  // What waits in the spool, and nothing else.
  expect(second.head.newBytes).toBe(after!.content.spool!.content!.bytes);
  const left = await filled.product.stores.storedDays.list();
  expect(left.length).toBeGreaterThan(0);
});

testInFull(
  'a restore that fails leaves the folder as empty as it was',
  async () => {
    const folder = makeFolder();
    const target = openBackupFolder(folder);
    const { head } = await backUp(folder);
    const { content } = await readManifest(target, head.id, keys);
    const place = await openScratchPlace(parseConfig({}), makeFolder(), log);
    // The backup says that there was one row more.
    const claimed = structuredClone(content);
    claimed.clickhouse.partitions[0]!.rows += 1;
    claimed.clickhouse.partitions[1]!.sample = { '1': 'another' };
    claimed.postgres.tables.find(({ name }) => name === 'issues')!.rows += 1;
    await writeManifest(target, head, claimed, keys);
    try {
      const { differences } = await restoreBackup(place.parts, target, head.id, keys);
      expect(differences).toHaveLength(3);
    } finally {
      await place.close(false);
    }
    expect(readdirSync(path.dirname(place.place))).toEqual([]);
    const occupied = makeFolder();
    writeFileSync(path.join(occupied, 'something'), '');
    const config = parseConfig({ ERRATA_DATA_DIR: occupied });
    await expect(openRestorePlace(config, log)).rejects.toThrow('is not empty');
    expect(readdirSync(occupied)).toEqual(['something']);
  },
  180_000,
);

testInFull('a backup of a schema that this version does not know is not restored', async () => {
  const folder = makeFolder();
  const target = openBackupFolder(folder);
  const { head } = await backUp(folder);
  const { content } = await readManifest(target, head.id, keys);
  content.postgres.migrations.push({ version: 9_000, name: '9000_future.sql', checksum: 'x' });
  await writeManifest(target, { ...head, errataVersion: '9.0.0' }, content, keys);
  const relational = await createEmptyPostgres(POSTGRES);
  const analytic = openMissingClickhouse(CLICKHOUSE);
  const dataDir = path.join(makeFolder(), 'with a space');
  const place = await openRestorePlace(
    parseConfig({
      ERRATA_DATA_DIR: dataDir,
      ERRATA_BLOBS_URL: 's3://errors/e?endpoint=http://127.0.0.1:7070',
      DATABASE_URL: relational.url,
      CLICKHOUSE_URL: analytic.url,
    }),
    log,
  );
  try {
    // The server will look into the bucket only.
    expect(parseBlobAddress(place.filesMove!.from)).toEqual({ kind: 'folder', folder: `${dataDir}/blobs` });
    expect(parseBlobAddress(place.filesMove!.to)).toMatchObject({ bucket: 'errors', prefix: 'e/' });
    await expect(restoreBackup(place.parts, target, head.id, keys)).rejects.toThrow(
      'made by Errata 9.0.0, whose schema this version does not know',
    );
  } finally {
    await place.close(false);
    await relational.drop();
    await analytic.drop();
  }
});

describe('the pause of digest', () => {
  test('waits for the end of a batch, and keeps the next one waiting', async () => {
    const database = { url: filled.product.databaseUrl };
    const gate = createBatchGate(database);
    const pause = createDigestPause(database);
    const steps: string[] = [];
    await gate.enter();
    const paused = pause.during(async () => {
      steps.push('paused');
      await delay(300);
      steps.push('goes on');
    });
    await delay(300);
    steps.push('batch ends');
    await gate.leave();
    await expect.poll(() => steps).toContain('paused');
    await gate.enter();
    steps.push('next batch');
    await gate.leave();
    await paused;
    await gate.close();
    expect(steps).toEqual(['batch ends', 'paused', 'goes on', 'next batch']);
  });

  test('ends with the process that held it', async () => {
    const database = { url: filled.product.databaseUrl };
    const dead = createBatchGate(database);
    await dead.enter();
    // As if it were killed in the middle of a batch.
    await dead.close();
    await createDigestPause(database).during(async () => {});
  });

  testInFull('one backup of an instance at a time', async () => {
    await parts.lock.during(async () => {
      await expect(backUp(makeFolder())).rejects.toThrow('Another backup of this instance');
    });
    await backUp(makeFolder());
  });
});
