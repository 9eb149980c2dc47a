import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '#config.ts';
import { unavailable } from '#lib/errors.ts';
import { createLog } from '#lib/log.ts';
import { VERSION, VERSION_BEFORE } from '#lib/version.ts';
import { createBackupStore } from '#product/backups/backup-store.ts';
import {
  BACKUP_BYTES_A_SECOND,
  migrationRoom,
  missingRoom,
  planUpgrade,
  type UpgradePlan,
} from '#product/upgrades/plan-upgrade.ts';
import type { UpgradeReport } from '#product/upgrades/upgrade-report.ts';
import { createUpgradeStore } from '#product/upgrades/upgrade-store.ts';
import { openClickhouse } from '#storage/clickhouse/open-clickhouse.ts';
import { openPostgres, type PostgresDatabase } from '#storage/postgres/database.ts';
import { refuseUnfinishedRestore } from '../backups/unfinished-restore.ts';
import { lockDataDir, readRuntime } from '../data-dir.ts';
import { startEmbeddedStores } from '../start-embedded-stores.ts';
import { freeBytesAt } from './measure-room.ts';
import { CLUSTER, type PlannedBackup, planUpgradeBackup } from './upgrade-backup.ts';
import { readSchemas } from './upgrade-stores.ts';

/**
 * What a start of this version will do. Reads the stores of a running server, external ones, or those of a data directory that
 * nothing runs on, which are started for it. Throws ErrataError 'unavailable' when there is no data, 'conflict' when it is
 * of a newer version.
 */
export async function checkUpgrade(config: Config): Promise<UpgradeReport> {
  refuseUnfinishedRestore(config.dataDir);
  const addresses = await openAddresses(config);
  const postgres = openPostgres(addresses.databaseUrl, { poolMax: 2 });
  const clickhouse = openClickhouse(addresses.clickhouseUrl);
  try {
    return await report(config, addresses.clickhouseUrl, {
      postgres,
      clickhouse,
      upgrades: createUpgradeStore(postgres.db),
    });
  } finally {
    await Promise.all([postgres.close(), clickhouse.close()]);
    await addresses.close();
  }
}

async function report(
  config: Config,
  clickhouseUrl: string,
  stores: Parameters<typeof readSchemas>[0],
): Promise<UpgradeReport> {
  const { postgres, upgrades } = stores;
  const schemas = await readSchemas(stores);
  const isFresh = schemas.some(({ store, applied }) => store === 'PostgreSQL' && applied.length === 0);
  const plan = planUpgrade(schemas);
  const isUnfinished = !isFresh && (await upgrades.findUnfinished(VERSION)) !== null;
  const isBackedUp = plan.migrations.length === 0 || isFresh || isUnfinished;
  const backup = isBackedUp
    ? null
    : await planUpgradeBackup(config, { db: postgres.db, clickhouseUrl }, schemas);
  const disk = await measureDisk(config, plan, backup);
  return {
    version: VERSION,
    installed: isFresh ? null : await upgrades.findInstalled(),
    applied: Object.fromEntries(schemas.map(({ store, applied }) => [store, applied.length])),
    newer: schemas.flatMap(({ newer }) => newer.map(({ name }) => name)),
    plan,
    isUnfinished,
    backup: describeBackup(backup, { isUnfinished }),
    lastGoodBackup: await findLastGood(postgres, schemas),
    disk,
    downgrade: { version: VERSION_BEFORE, isPossible: plan.oneWay.length === 0, because: plan.oneWay },
    problems: findProblems(backup, disk),
  };
}

function describeBackup(
  backup: PlannedBackup | null,
  { isUnfinished }: { isUnfinished: boolean },
): UpgradeReport['backup'] {
  if (backup?.kind === 'planned') {
    const { folder, neededBytes, missingBytes } = backup;
    const ms = Math.round((neededBytes / BACKUP_BYTES_A_SECOND) * 1_000);
    return { kind: 'planned', folder, neededBytes, ms, missingBytes };
  }
  const reasons = {
    off: 'ERRATA_UPGRADE_BACKUP is off',
    empty: 'there is nothing to back up yet',
    cluster: 'ClickHouse is a cluster',
  };
  if (backup) return { kind: 'none', reason: reasons[backup.kind] };
  const reason = isUnfinished ? 'it was made before the interrupted upgrade' : 'nothing is migrated';
  return { kind: 'none', reason };
}

async function measureDisk(
  config: Config,
  plan: UpgradePlan,
  backup: PlannedBackup | null,
): Promise<UpgradeReport['disk']> {
  if (config.databaseUrl !== null && config.clickhouseUrl !== null) return null;
  const freeBytes = await freeBytesAt(config.dataDir);
  const inside = backup?.kind === 'planned' && backup.isInside ? backup.neededBytes : 0;
  const neededBytes = migrationRoom(plan) + inside;
  return {
    freeBytes,
    neededBytes,
    missingBytes: neededBytes === 0 ? 0 : missingRoom(neededBytes, freeBytes),
  };
}

/** The list of backups is younger than the first schemas. */
async function findLastGood(
  { db }: PostgresDatabase,
  schemas: Awaited<ReturnType<typeof readSchemas>>,
): Promise<UpgradeReport['lastGoodBackup']> {
  const hasList = schemas.some(({ applied }) => applied.some(({ name }) => name.endsWith('_backups.sql')));
  const run = hasList ? await createBackupStore(db).findLastGood() : null;
  if (!run?.backupId || run.momentAt === null) return null;
  return { id: run.backupId, folder: run.folder, at: run.momentAt };
}

function findProblems(backup: PlannedBackup | null, disk: UpgradeReport['disk']): UpgradeReport['problems'] {
  const problems: { detail: string; next: string }[] = [];
  if (backup?.kind === 'cluster') problems.push(CLUSTER);
  if (backup?.kind === 'planned' && backup.missingBytes > 0) {
    problems.push({
      detail: `There is no room for the backup in ${backup.folder}: ${megabytes(backup.missingBytes)} are missing`,
      next: 'Free disk space, or set ERRATA_UPGRADE_BACKUP to a folder with room. The start refuses to migrate without the backup',
    });
  }
  if (disk && disk.missingBytes > 0) {
    problems.push({
      detail: `There is no room for the upgrade on the volume of the data directory: ${megabytes(disk.missingBytes)} are missing`,
      next: 'Free disk space, or lower what is kept under Settings > Storage and wait until it is dropped',
    });
  }
  return problems;
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;

type Addresses = { databaseUrl: string; clickhouseUrl: string; close(): Promise<void> };

async function openAddresses(config: Config): Promise<Addresses> {
  const runtime = readRuntime(config.dataDir);
  const databaseUrl =
    config.databaseDirectUrl ?? config.databaseUrl ?? runtime?.databaseDirectUrl ?? runtime?.databaseUrl;
  const clickhouseUrl = config.clickhouseUrl ?? runtime?.clickhouseUrl;
  if (databaseUrl && clickhouseUrl) return { databaseUrl, clickhouseUrl, close: async () => {} };
  const missing = ['postgres', 'clickhouse'].filter(
    (name, index) => !(index === 0 ? databaseUrl : clickhouseUrl) && !existsSync(join(config.dataDir, name)),
  );
  if (missing.length > 0) {
    throw unavailable(
      `There is no data in ${config.dataDir}: set ERRATA_DATA_DIR to its folder, or DATABASE_URL and CLICKHOUSE_URL`,
    );
  }
  const lock = lockDataDir(config.dataDir);
  try {
    const named = {
      ...config,
      databaseDirectUrl: null,
      databaseUrl: databaseUrl ?? null,
      clickhouseUrl: clickhouseUrl ?? null,
    };
    const { stop, ...addresses } = await startEmbeddedStores(named, createLog('upgrade', 'warn'));
    return { ...addresses, close: () => stop().finally(lock.release) };
  } catch (error) {
    lock.release();
    throw error;
  }
}
