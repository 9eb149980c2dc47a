import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { withCluster } from '#lib/clickhouse-address.ts';
import { VERSION } from '#lib/version.ts';
import { listBackups } from '#product/backups/list-backups.ts';
import { createUpgradeStore } from '#product/upgrades/upgrade-store.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import { UPGRADE_BACKUPS } from '#storage/disk/disk-meter.ts';
import { readPostgresSchema } from '#storage/postgres/schema-state.ts';
import { parseConfig } from '../../src/config.ts';
import type { UpgradeProgress } from '../../src/main/messages.ts';
import { checkUpgrade } from '../../src/main/upgrade/check-upgrade.ts';
import { makeUpgradeBackup, planUpgradeBackup } from '../../src/main/upgrade/upgrade-backup.ts';
import { upgradeStores } from '../../src/main/upgrade/upgrade-stores.ts';
import { testInFull } from '../harness/is-full.ts';
import { testLog } from './engines.ts';
import { openFirstVersion } from './first-version.ts';

let folder: string;
let old: Awaited<ReturnType<typeof openFirstVersion>>;
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'errata-upgrade-'));
  old = await openFirstVersion({
    postgres: { name: 'embedded PostgreSQL', url: inject('embeddedPostgresUrl') },
    clickhouse: { name: 'embedded ClickHouse', url: inject('embeddedClickhouseUrl') },
  });
});
afterEach(async () => {
  await old.drop();
  rmSync(folder, { recursive: true });
});

const inFolder = (...names: string[]) => path.join(folder, ...names);
const initOf = () => ({
  databaseUrl: old.relational.url,
  clickhouseUrl: old.analytic.url,
  databaseDirectUrl: null,
  secret: 's'.repeat(32),
});
const settings = (more: Record<string, string> = {}) => ({ ERRATA_DATA_DIR: inFolder('data'), ...more });

async function start(more: Record<string, string> = {}): Promise<readonly UpgradeProgress[]> {
  const told: UpgradeProgress[] = [];
  await upgradeStores(parseConfig(settings(more)), initOf(), {
    log: testLog,
    onProgress: (progress) => told.push(progress),
  });
  return told;
}
const check = () =>
  checkUpgrade(parseConfig(settings({ DATABASE_URL: old.relational.url, CLICKHOUSE_URL: old.analytic.url })));
const countApplied = async () => (await readPostgresSchema(old.relational)).applied.length;

test('the check says what the start then does, and changes nothing', async () => {
  const before = await check();
  expect(before).toMatchObject({
    version: VERSION,
    installed: null,
    applied: { PostgreSQL: 2, ClickHouse: 1 },
    isUnfinished: false,
    backup: { kind: 'planned', folder: inFolder('data', UPGRADE_BACKUPS), missingBytes: 0 },
    disk: null,
    downgrade: { isPossible: false },
    problems: [],
  });
  const indexed = before.plan.migrations.find(({ name }) => name === '0003_event_index.sql');
  expect(indexed).toMatchObject({ store: 'ClickHouse', isInstant: false, rows: 3 });
  expect(await countApplied()).toBe(2);

  const told = await start();
  expect(told[0]?.count).toBe(before.plan.migrations.length);
  const after = await check();
  expect(after).toMatchObject({
    installed: { version: VERSION },
    plan: { migrations: [], addedBytes: 0 },
    backup: { kind: 'none' },
    lastGoodBackup: { folder: inFolder('data', UPGRADE_BACKUPS) },
    downgrade: { isPossible: true },
    problems: [],
  });
  const [backup] = await listBackups(openBackupFolder(inFolder('data', UPGRADE_BACKUPS)));
  // Beside the secret itself it is in the backup as well: a restore needs nothing else.
  expect(backup).toMatchObject({ kind: 'sound', head: { events: 3, hasSecrets: true } });
});

test('without its backup nothing is migrated, and the way out is said', async () => {
  writeFileSync(inFolder('a-file'), '');
  await expect(start({ ERRATA_UPGRADE_BACKUP: inFolder('a-file') })).rejects.toThrow(
    /The backup before the upgrade failed.*Nothing has been changed.*ERRATA_UPGRADE_BACKUP=off/,
  );
  expect(await countApplied()).toBe(2);
  const target = openBackupFolder(inFolder('small'));
  await expect(
    makeUpgradeBackup(
      parseConfig(settings()),
      initOf(),
      { kind: 'planned', folder: target.place, neededBytes: 5e9, missingBytes: 2e9, target, isInside: false },
      { log: testLog, onStep: () => {} },
    ),
  ).rejects.toThrow(/needs up to 5,000 MB in .*small, and 2,000 MB are missing\. Nothing has been changed/);
  expect(await listBackups(target)).toEqual([]);

  const told = await start({ ERRATA_UPGRADE_BACKUP: 'off' });
  expect(told[0]?.doing).toBe('No backup is made: ERRATA_UPGRADE_BACKUP is off');
  expect(await countApplied()).toBeGreaterThan(30);
});

testInFull('an upgrade that was interrupted goes on without another backup', async () => {
  const upgrades = createUpgradeStore(old.relational.db);
  const backup = { id: '20260101T000000Z-aaaa', folder: '/backups' };
  const begun = { from: '0.1.0', to: VERSION, startedAt: 1_000, backup };
  await upgrades.noteUpgrade({ ...begun, finishedAt: null });
  expect(await check()).toMatchObject({ isUnfinished: true, backup: { kind: 'none' } });
  const told = await start();
  expect(told[0]).toMatchObject({
    from: '0.1.0',
    doing: 'Continuing an upgrade that was interrupted',
  });
  expect(await listBackups(openBackupFolder(inFolder('data', UPGRADE_BACKUPS)))).toEqual([]);
  expect(await upgrades.findLastUpgrade()).toMatchObject({ ...begun, finishedAt: expect.any(Number) });
});

testInFull('an interrupted upgrade makes a new backup when a version has run on the data since', async () => {
  const upgrades = createUpgradeStore(old.relational.db);
  const backup = { id: '20260101T000000Z-aaaa', folder: '/backups' };
  await upgrades.noteUpgrade({ from: '0.1.0', to: VERSION, startedAt: 1_000, backup, finishedAt: null });
  await upgrades.noteInstalled({ version: '0.1.0', startedAt: 2_000 });
  expect(await check()).toMatchObject({ isUnfinished: false, backup: { kind: 'planned' } });
  await start();
  const [made] = await listBackups(openBackupFolder(inFolder('data', UPGRADE_BACKUPS)));
  expect(made).toMatchObject({ kind: 'sound', head: { events: 3 } });
  expect(await upgrades.findLastUpgrade()).toMatchObject({ from: '0.1.0', backup: { id: made?.id } });
});

test('no backup of a cluster is planned, since none could be made', async () => {
  const plan = (more: Record<string, string> = {}) =>
    planUpgradeBackup(
      parseConfig(settings(more)),
      { db: old.relational.db, clickhouseUrl: withCluster(old.analytic.url, 'main') },
      [],
    );
  expect(await plan()).toEqual({ kind: 'cluster' });
  expect(await plan({ ERRATA_UPGRADE_BACKUP: 'off' })).toEqual({ kind: 'off' });
});

test('an older version refuses newer data with the version that is needed and the backup that leads back', async () => {
  await start();
  const last = await createUpgradeStore(old.relational.db).findLastUpgrade();
  await old.relational.pool.query(
    `INSERT INTO schema_migrations (version, name, checksum, applied_by) VALUES (9001, '9001_tomorrow.sql', '', '2.0.0')`,
  );
  const refusal = new RegExp(
    `it has migration 9001_tomorrow.sql. Start Errata 2.0.0, or a newer one. To go back, .*errata backup restore ${last?.backup?.id} --folder ${last?.backup?.folder}`,
  );
  await expect(start()).rejects.toThrow(refusal);
  await expect(check()).rejects.toThrow(refusal);
  // As if that migration only added something.
  await old.relational.pool.query(
    `UPDATE schema_migrations SET runs_with = $1 WHERE name = '9001_tomorrow.sql'`,
    [VERSION],
  );
  expect(await start()).toEqual([]);
  expect(await check()).toMatchObject({ newer: ['9001_tomorrow.sql'], problems: [] });
});

testInFull('two machines that start together upgrade once', async () => {
  const told = await Promise.all([start(), start()]);
  expect(told.filter((progress) => progress.length > 0)).toHaveLength(1);
  expect(await listBackups(openBackupFolder(inFolder('data', UPGRADE_BACKUPS)))).toHaveLength(1);
});
