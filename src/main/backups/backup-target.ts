import { resolve, sep } from 'node:path';
import { type Config, readBackupKey } from '#config.ts';
import { invalid } from '#lib/errors.ts';
import { type BackupKeys, createBackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';

/** Throws Invalid for a folder of the data directory: it would count as data, and go with it. */
export function openBackupTarget({ dataDir }: Pick<Config, 'dataDir'>, folder: string): BackupTarget {
  if (`${resolve(folder)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`)) {
    throw invalid(
      `${folder} is in the data directory: choose a folder outside of ${dataDir}, best on another disk`,
    );
  }
  return openBackupFolder(folder);
}

/** null: the operator has set no key. Throws Invalid when its file cannot be read. */
export function readBackupKeys(config: Pick<Config, 'backupKey'>): BackupKeys | null {
  const phrase = readBackupKey(config);
  return phrase === null ? null : createBackupKeys(phrase);
}
