import { createHash } from 'node:crypto';
import { join, resolve, sep } from 'node:path';
import { type Config, readBackupKey } from '#config.ts';
import { invalid } from '#lib/errors.ts';
import { type BackupKeys, createBackupKeys } from '#lib/sealed-stream/backup-keys.ts';
import { parseBackupBucket } from '#product/backups/backup-settings.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import type { BackupTarget } from '#storage/ports/backup-target.ts';

/**
 * A folder, or a bucket, whose library is loaded only then. Throws Invalid for an address that is none, and for a folder of the data
 * directory: it would count as data, and go with it.
 */
export async function openBackupTarget(
  { dataDir, s3Credentials }: Pick<Config, 'dataDir' | 's3Credentials'>,
  folder: string,
): Promise<BackupTarget> {
  const address = parseBackupBucket(folder);
  if (address !== null) {
    const { openS3BackupTarget } = await import('#storage/s3/s3-backup-target.ts');
    return openS3BackupTarget({
      address,
      credentials: s3Credentials,
      stagingFolder: join(dataDir, 'backups-staging', createHash('sha256').update(folder).digest('hex')),
    });
  }
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
