import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CliConnection } from '#cli/cli-connection.ts';
import { unavailable } from '#lib/errors.ts';
import { readOrMakeSecret } from '#lib/secret-file.ts';
import type { Config } from '../config.ts';
import { findMetricsToken } from './metrics-token.ts';
import { spoolFolder } from './open-spool.ts';
import { openStores } from './open-stores.ts';
import { replayRecord } from './replay-record.ts';
import { readRuntime } from './runtime-file.ts';

/**
 * Connects the command line to the server that runs on the data directory, or to the external stores of the
 * configuration. Throws ErrataError 'unavailable' when there is neither.
 */
export async function connectCli(config: Config): Promise<CliConnection> {
  const runtime = readRuntime(config.dataDir);
  const databaseUrl = config.databaseUrl ?? runtime?.databaseUrl;
  const clickhouseUrl = config.clickhouseUrl ?? runtime?.clickhouseUrl;
  if (!databaseUrl || !clickhouseUrl) {
    throw unavailable(
      `No Errata server runs on ${config.dataDir}: start it with npm start, or set ERRATA_DATA_DIR to its folder`,
    );
  }
  const secret = config.secret ?? findSecret(config.dataDir);
  const { stores, close } = openStores({ databaseUrl, clickhouseUrl, secret }, config, { poolMax: 2 });
  return {
    stores,
    publicUrl: runtime?.url ?? config.publicUrl,
    localUrl: runtime?.localUrl ?? config.publicUrl,
    metricsToken: findMetricsToken(config),
    now: Date.now,
    replayRecord: (id) => replayRecord(stores.quarantine, spoolFolder(config.dataDir), id),
    close,
  };
}

/** Beside external stores on another machine there may be none: then what is encrypted stays closed. */
function findSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  return existsSync(file) ? readOrMakeSecret(file) : randomBytes(32).toString('base64url');
}
