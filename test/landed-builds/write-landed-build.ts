/**
 * Writes what the tests of upgrades begin with: the data that a build left, whatever its version.
 * `node bin/run-built.mjs --unbuilt test/landed-builds/write-landed-build.ts <data directory> <name>`, while nothing runs on it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLog } from '#lib/log.ts';
import { createBackup } from '#product/backups/create-backup.ts';
import { openBackupFolder } from '#storage/disk/backups/backup-folder.ts';
import { parseConfig } from '../../src/config.ts';
import { openBackupParts } from '../../src/main/backups/backup-parts.ts';
import { lockDataDir } from '../../src/main/data-dir.ts';
import { startEmbeddedStores } from '../../src/main/start-embedded-stores.ts';
import { BUILDS_FOLDER } from './list-landed-builds.ts';
import { packBackup } from './packed-backup.ts';

const [dataDir, name] = process.argv.slice(2);
if (!dataDir || !name) throw new Error('Name the data directory and the build');
const log = createLog('build', 'warn');
const config = parseConfig({ ERRATA_DATA_DIR: dataDir });
const folder = mkdtempSync(path.join(tmpdir(), 'errata-build-'));
const lock = lockDataDir(config.dataDir);
const { databaseUrl, clickhouseUrl, stop } = await startEmbeddedStores(config, log);
try {
  const target = openBackupFolder(folder);
  const parts = openBackupParts(
    config,
    { databaseUrl, databaseDirectUrl: null, clickhouseUrl, secret: '' },
    { withSecrets: false, log },
  );
  const { head } = await createBackup({ ...parts, settings: {} }, target, {
    keys: null,
    now: Date.now,
    onProgress: () => {},
  });
  const packed = await packBackup(target);
  writeFileSync(path.join(BUILDS_FOLDER, `${name}.backup`), packed);
  process.stdout.write(`${name}: ${head.events} events, ${packed.length} bytes\n`);
} finally {
  await stop();
  lock.release();
  rmSync(folder, { recursive: true });
}
