import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RestorePlace } from '#cli/cli-command.ts';
import type { Config } from '#config.ts';
import { bucketUrl } from '#lib/blob-address.ts';
import { conflict } from '#lib/errors.ts';
import type { Log } from '#lib/log.ts';
import { writePrivateFile } from '#lib/secret-file.ts';
import { createBackupStore } from '#product/backups/backup-store.ts';
import type { RestoreParts } from '#product/backups/restore-backup.ts';
import { openAnalyticDestination } from '#storage/clickhouse/backup/analytic-destination.ts';
import { openFileDestination } from '#storage/disk/backups/stored-files.ts';
import { openRelationalDestination } from '#storage/postgres/backup/relational-destination.ts';
import { openPostgres } from '#storage/postgres/database.ts';
import { writeSpool } from '#storage/spool-files/backup-spool.ts';
import { lockDataDir, metricsTokenFile } from '../data-dir.ts';
import { artifactFolder, blobFolder } from '../open-blob-store.ts';
import { spoolFolder } from '../spool-paths.ts';
import { type StartedStores, startEmbeddedStores } from '../start-embedded-stores.ts';
import { RESTORE_MARKER } from './unfinished-restore.ts';

/** What a volume of its own has, and nobody wrote. */
const NOTHING = new Set(['lost+found']);

/**
 * An empty data directory, with its own stores unless the settings name others. Throws ErrataError 'conflict' when it is
 * not empty.
 */
export async function openRestorePlace(config: Config, log: Log): Promise<RestorePlace> {
  const { dataDir } = config;
  if (existsSync(dataDir) && readdirSync(dataDir).some((name) => !NOTHING.has(name))) {
    throw conflict(
      `${dataDir} is not empty: a backup is restored into an empty data directory only. Move what is there away, or set ERRATA_DATA_DIR to another folder`,
    );
  }
  return await open(config, log, () => {
    for (const name of readdirSync(dataDir)) {
      if (!NOTHING.has(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
    }
  });
}

/** A folder with stores of its own below `within`, or where temporary files go; nothing stays of it. */
export async function openScratchPlace(
  config: Config,
  within: string | null,
  log: Log,
): Promise<RestorePlace> {
  const dataDir = mkdtempSync(join(within === null ? tmpdir() : resolve(within), 'errata-verify-'));
  const own = {
    ...config,
    dataDir,
    databaseUrl: null,
    databaseDirectUrl: null,
    clickhouseUrl: null,
    secret: null,
    blobs: null,
  };
  const place = await open(own, log, () => rmSync(dataDir, { recursive: true, force: true }));
  return { ...place, close: () => place.close(false) };
}

async function open(config: Config, log: Log, remove: () => void): Promise<RestorePlace> {
  const { dataDir } = config;
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const lock = lockDataDir(dataDir);
  const marker = join(dataDir, RESTORE_MARKER);
  writeFileSync(marker, '');
  let engines: StartedStores | null = null;
  const closers: (() => Promise<void>)[] = [];
  async function close(isDone: boolean): Promise<void> {
    await Promise.allSettled(closers.map((end) => end()));
    await engines?.stop();
    if (isDone) rmSync(marker, { force: true });
    lock.release();
    if (!isDone) remove();
  }
  try {
    engines = await startEmbeddedStores(config, log);
    const { databaseUrl, clickhouseUrl } = engines;
    const relational = await openRelationalDestination({ url: databaseUrl }, log);
    const analytic = openAnalyticDestination(clickhouseUrl, log);
    const spool = openSpoolDestination(spoolFolder(dataDir));
    closers.push(relational.close, analytic.close, spool.close);
    return {
      parts: {
        relational,
        analytic,
        spool,
        files: {
          blobs: openFileDestination(blobFolder(config)),
          artifacts: openFileDestination(artifactFolder(config)),
        },
        writeSecrets: async ({ secret, metricsToken }) => {
          if (config.secret === null) writePrivateFile(join(dataDir, 'secret'), `${secret}\n`);
          else if (config.secret !== secret) {
            throw conflict(
              'ERRATA_SECRET is another one than in the backup, and would open nothing of it: remove the setting, or set it to the former one',
            );
          }
          if (config.metricsToken === null && metricsToken !== null)
            writePrivateFile(metricsTokenFile(dataDir), `${metricsToken}\n`);
        },
        noteMade: async (head) => {
          const { db, close } = openPostgres(databaseUrl, { poolMax: 1 });
          await createBackupStore(db).finishRestored(head).finally(close);
        },
      },
      place: dataDir,
      filesMove:
        config.blobs?.kind === 'bucket'
          ? { from: pathToFileURL(resolve(blobFolder(config))).href, to: bucketUrl(config.blobs) }
          : null,
      close,
    };
  } catch (error) {
    await close(false);
    throw error;
  }
}

function openSpoolDestination(folder: string): RestoreParts['spool'] {
  let ids: Awaited<ReturnType<typeof openIds>> | null = null;
  async function openIds() {
    const { openRecentIds } = await import('#storage/lmdb/recent-ids.ts');
    return openRecentIds(folder);
  }
  return {
    write: (spoolId, startsAfter, records) => writeSpool(folder, { spoolId, startsAfter }, records),
    async remember(entries) {
      ids ??= await openIds();
      await ids.remember(entries, Date.now());
    },
    async close() {
      await ids?.close();
    },
  };
}
