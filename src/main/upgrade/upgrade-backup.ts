import { isAbsolute, join } from 'node:path';
import type { Config } from '#config.ts';
import { clusterOf } from '#lib/clickhouse-address.ts';
import { conflict, messageOf } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { totalBytes } from '#product/backups/backup-size.ts';
import { createBackupStore } from '#product/backups/backup-store.ts';
import { type CreatedBackup, createBackup } from '#product/backups/create-backup.ts';
import { listBackups, pruneBackups } from '#product/backups/list-backups.ts';
import { backupRoom, missingRoom } from '#product/upgrades/plan-upgrade.ts';
import { createUpgradeStore } from '#product/upgrades/upgrade-store.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import { UPGRADE_BACKUPS } from '#storage/disk/disk-meter.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';
import type { SchemaState } from '#storage/ports/schema-state.ts';
import type { PostgresDatabase } from '#storage/postgres/database.ts';
import { openBackupParts } from '../backups/backup-parts.ts';
import { openBackupTarget, readBackupKeys } from '../backups/backup-target.ts';
import type { StoreAddresses } from '../open-stores.ts';
import { freeBytesAt, measureFiles } from './measure-room.ts';

/** Of those in the data directory; in a folder of the operator none is removed. */
const KEPT_MAX = 2;

export type PlannedBackup =
  | { kind: 'off' }
  /** Nobody has set the instance up yet. */
  | { kind: 'empty' }
  /** Errata cannot make it: the operator does. */
  | { kind: 'cluster' }
  | {
      kind: 'planned';
      folder: string;
      /** What it needs at most, and what the volume lacks for that. */
      neededBytes: number;
      missingBytes: number;
      target: BackupTarget;
      /** In the data directory, where the secret lies as well. */
      isInside: boolean;
    };

/**
 * Where the backup before an upgrade goes, and whether there is room for it. Throws ErrataError 'conflict' with the ways out
 * when the folder cannot be read.
 */
export async function planUpgradeBackup(
  config: Config,
  { db, clickhouseUrl }: Pick<PostgresDatabase, 'db'> & Pick<StoreAddresses, 'clickhouseUrl'>,
  schemas: readonly SchemaState[],
): Promise<PlannedBackup> {
  if (config.upgradeBackup === null) return { kind: 'off' };
  if (!(await createUpgradeStore(db).hasData())) return { kind: 'empty' };
  if (clusterOf(new URL(clickhouseUrl)) !== null) return { kind: 'cluster' };
  const named = config.upgradeBackup.folder ?? (await createBackupStore(db).readSchedule()).folder;
  const inside = join(config.dataDir, UPGRADE_BACKUPS);
  const target = named === null ? openBackupFolder(inside) : await openBackupTarget(config, named);
  const bytes = schemas.reduce((sum, schema) => sum + schema.bytes, 0) + (await measureFiles(config.dataDir));
  const neededBytes = backupRoom(bytes, await newestBytes(target));
  return {
    kind: 'planned',
    folder: target.place,
    neededBytes,
    // A bucket takes what comes.
    missingBytes: isAbsolute(target.place) ? missingRoom(neededBytes, await freeBytesAt(target.place)) : 0,
    target,
    isInside: named === null,
  };
}

async function newestBytes(target: BackupTarget): Promise<number> {
  try {
    const newest = (await listBackups(target)).findLast(({ kind }) => kind === 'sound');
    return newest?.kind === 'sound' ? totalBytes(newest.head) : 0;
  } catch (error) {
    throw conflict(`The backup before the upgrade cannot be planned: ${messageOf(error)}. ${WAYS_OUT}`);
  }
}

/**
 * Makes it. Throws ErrataError 'conflict' when there is no room or it fails, saying what to do: nothing has been changed by
 * then.
 */
export async function makeUpgradeBackup(
  config: Config,
  init: StoreAddresses,
  { target, neededBytes, missingBytes, isInside }: Extract<PlannedBackup, { kind: 'planned' }>,
  { log, onStep }: { log: Log; onStep: (detail: string) => void },
): Promise<CreatedBackup> {
  if (missingBytes > 0) {
    throw conflict(
      `The backup before the upgrade needs up to ${megabytes(neededBytes)} in ${target.place}, and ${megabytes(missingBytes)} are missing. ${WAYS_OUT}`,
    );
  }
  try {
    const keys = readBackupKeys(config);
    const parts = openBackupParts(config, init, { withSecrets: keys !== null || isInside, log });
    const created = await createBackup(parts, target, {
      keys,
      now: Date.now,
      onProgress: ({ step, done, total }) => onStep(`${step} ${done}${total === null ? '' : ` of ${total}`}`),
    });
    if (isInside) await pruneBackups(target, { keep: KEPT_MAX, removesDamaged: true });
    return created;
  } catch (error) {
    throw conflict(`The backup before the upgrade failed: ${messageOf(error)}. ${WAYS_OUT}`);
  }
}

/** Why there is no backup of a cluster, and what to do. */
export const CLUSTER = {
  detail: 'Errata does not back up a ClickHouse cluster, and does not migrate existing data without a backup',
  next: 'Back the cluster up yourself, as docs/scale.md says, and set ERRATA_UPGRADE_BACKUP=off for this start',
};

const WAYS_OUT =
  'Nothing has been changed. Free disk space, set ERRATA_UPGRADE_BACKUP to a folder with room, or make a backup yourself with the version before and set ERRATA_UPGRADE_BACKUP=off';

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
