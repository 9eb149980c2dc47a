import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS } from '#config/settings.ts';
import type { Config } from '#config.ts';
import type { Log } from '#lib/log.ts';
import { VERSION } from '#lib/version.ts';
import type { BackupParts } from '#product/backups/create-backup.ts';
import { createAnalyticSource } from '#storage/clickhouse/backup/analytic-cut.ts';
import { openStoredFiles } from '#storage/disk/backups/stored-files.ts';
import { createBackupLock, createDigestPause } from '#storage/postgres/backup/digest-pause.ts';
import { createRelationalSource } from '#storage/postgres/backup/relational-cut.ts';
import { readSpoolId, readWaiting } from '#storage/spool-files/backup-spool.ts';
import { findMetricsToken } from '../data-dir.ts';
import { artifactFolder, blobFolder } from '../open-blob-store.ts';
import { type StoreAddresses, sessionUrl } from '../open-stores.ts';
import { SECRET_SETTINGS } from '../spawn-role.ts';
import { spoolFolder } from '../spool-paths.ts';

/** Whether a backup is made here: where the spool lies, or on any machine when it is a topic, of which none has a part. */
export const isBackupMachine = ({ dataDir, spool }: Pick<Config, 'dataDir' | 'spool'>): boolean =>
  spool !== null || existsSync(spoolFolder(dataDir));

/** Everything of an instance that a backup has: its stores, and what lies in the data directory of this machine. */
export function openBackupParts(
  config: Config,
  addresses: StoreAddresses,
  { withSecrets, log }: { withSecrets: boolean; log: Log },
): BackupParts {
  const { clickhouseUrl, secret } = addresses;
  const database = { url: sessionUrl(addresses) };
  const spool = spoolFolder(config.dataDir);
  return {
    lock: createBackupLock(database),
    pause: createDigestPause(database),
    relational: createRelationalSource(database),
    analytic: createAnalyticSource(clickhouseUrl),
    spool: existsSync(join(spool, 'identity.json'))
      ? {
          spoolId: readSpoolId(spool),
          read: (after) =>
            readWaiting(spool, after, (detail) =>
              log.error({ detail }, 'A part of the spool cannot be read'),
            ),
          async listUncounted(after) {
            // Its engine takes memory that is needed for a moment only.
            const { readUncountedIds } = await import('#storage/lmdb/uncounted-ids.ts');
            return readUncountedIds(spool, after);
          },
        }
      : null,
    files: {
      blobs: openStoredFiles(blobFolder(config)),
      artifacts: openStoredFiles(artifactFolder(config)),
    },
    secrets: withSecrets ? { secret, metricsToken: findMetricsToken(config) } : null,
    settings: readPlainSettings(process.env),
    errataVersion: VERSION,
  };
}

/** What was set, without secrets and what may contain one. */
function readPlainSettings(env: NodeJS.ProcessEnv): Record<string, string> {
  const known = SETTINGS.map(({ name }) => name).filter((name) => !(name in SECRET_SETTINGS));
  return Object.fromEntries(
    known.flatMap((name) => {
      const value = env[name]?.trim();
      return value ? [[name, value]] : [];
    }),
  );
}
