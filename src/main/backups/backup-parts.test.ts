import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '#config.ts';
import { openSpoolWriter } from '#storage/spool-files/open-spool-writer.ts';
import { spoolFolder } from '../spool-paths.ts';
import { isBackupMachine } from './backup-parts.ts';

test('backups are made where the spool lies, and anywhere when it is a topic', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'errata-backup-parts-'));
  const at = (more: Record<string, string> = {}) =>
    isBackupMachine(parseConfig({ ERRATA_DATA_DIR: folder, ...more }));
  expect(at()).toBe(false);
  expect(at({ ERRATA_SPOOL_URL: 'kafka://kafka-1:9092/errata' })).toBe(true);
  await openSpoolWriter(spoolFolder(folder), 1e6).close();
  expect(at()).toBe(true);
  rmSync(folder, { recursive: true });
});
