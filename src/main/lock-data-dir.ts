import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ErrataError } from '#lib/errors.ts';

/**
 * Holds the data directory for this process: an exclusive SQLite transaction is a lock that the operating system takes
 * back when the process ends, however it ends. Throws ErrataError 'conflict' when another server holds it.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  mkdirSync(dataDir, { recursive: true, mode: 0o755 });
  const database = new DatabaseSync(join(dataDir, 'lock.db'));
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!/lock/i.test(String(error))) throw error;
    throw new ErrataError(
      'conflict',
      `Another Errata server uses ${dataDir}${describeOwner(dataDir)}: stop it, or set ERRATA_DATA_DIR to another folder`,
    );
  }
  return { release: () => database.close() };
}

function describeOwner(dataDir: string): string {
  try {
    const runtime = JSON.parse(readFileSync(join(dataDir, 'runtime.json'), 'utf8')) as {
      pid: number;
      url: string;
    };
    return ` (process ${runtime.pid}, ${runtime.url})`;
  } catch {
    return '';
  }
}
