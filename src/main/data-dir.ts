import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '#config.ts';
import { ErrataError } from '#lib/errors.ts';
import { readOrMakeSecret, writePrivateFile } from '#lib/secret-file.ts';
import type { UpgradeProgress } from './messages.ts';

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

/** What a running server leaves for the command line; mode 0600, since it holds the stores' passwords. */
type Runtime = {
  /** Public address. */
  url: string;
  /** The same server, reached from this machine. */
  localUrl: string;
  /** Process id of the supervisor. */
  pid: number;
  databaseUrl: string;
  /** null when no pooler stands in between. */
  databaseDirectUrl: string | null;
  clickhouseUrl: string;
  /** Part (role or engine) → process id. */
  processes: Record<string, number>;
};

export function writeRuntime(dataDir: string, runtime: Runtime): void {
  writePrivateFile(join(dataDir, 'runtime.json'), `${JSON.stringify(runtime, null, 2)}\n`);
}

/** null when no server runs on the data directory. */
export function readRuntime(dataDir: string): Runtime | null {
  const path = join(dataDir, 'runtime.json');
  if (!existsSync(path)) return null;
  try {
    const runtime = JSON.parse(readFileSync(path, 'utf8')) as Runtime;
    process.kill(runtime.pid, 0);
    return runtime;
  } catch {
    return null;
  }
}

export function removeRuntime(dataDir: string): void {
  rmSync(join(dataDir, 'runtime.json'), { force: true });
}

/** What a server that upgrades its data leaves for the command line until it has started. */
type Start = UpgradeProgress & { pid: number };

export function writeStart(dataDir: string, start: Start): void {
  try {
    writePrivateFile(join(dataDir, START_FILE), `${JSON.stringify(start)}\n`);
  } catch {
    // On a full disk the migration itself says so.
  }
}

/** null when no server upgrades the data of this directory. */
export function readStart(dataDir: string): Start | null {
  try {
    const start = JSON.parse(readFileSync(join(dataDir, START_FILE), 'utf8')) as Start;
    process.kill(start.pid, 0);
    return start;
  } catch {
    return null;
  }
}

export function removeStart(dataDir: string): void {
  rmSync(join(dataDir, START_FILE), { force: true });
}

const START_FILE = 'upgrade.json';

export const metricsTokenFile = (dataDir: string): string => join(dataDir, 'metrics-token');

/** The token of the server that runs here; null when neither a setting nor the data directory names it. */
export function findMetricsToken({ metricsToken, dataDir }: Pick<Config, 'metricsToken' | 'dataDir'>) {
  if (metricsToken !== null) return metricsToken;
  const file = metricsTokenFile(dataDir);
  return existsSync(file) ? readOrMakeSecret(file) : null;
}
