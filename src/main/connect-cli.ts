import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CliConnection } from '#cli/cli-command.ts';
import type { Config } from '#config.ts';
import { openMailer } from '#delivery/smtp/smtp-mailer.ts';
import { decodeRecord, encodeRecord } from '#ingest/spool-record.ts';
import { conflict, notFound, unavailable } from '#lib/errors.ts';
import { createLog } from '#lib/log.ts';
import { readOrMakeSecret } from '#lib/secret-file.ts';
import { diagnoseClickhouse } from '#storage/clickhouse/diagnose.ts';
import type { QuarantineStore } from '#storage/ports/digest.ts';
import { diagnosePostgres } from '#storage/postgres/diagnose.ts';
import { openBackupParts } from './backups/backup-parts.ts';
import { findMetricsToken, readRuntime } from './data-dir.ts';
import { createImportSink } from './import-sink.ts';
import type { SpoolInbox } from './open-inbox.ts';
import { openStores } from './open-stores.ts';

/**
 * Connects the command line to the server that runs on the data directory, or to the external stores of the
 * configuration. Throws ErrataError 'unavailable' when there is neither.
 */
export async function connectCli(config: Config): Promise<CliConnection> {
  const runtime = readRuntime(config.dataDir);
  const databaseUrl = config.databaseUrl ?? runtime?.databaseUrl;
  const databaseDirectUrl =
    config.databaseUrl === null ? (runtime?.databaseDirectUrl ?? null) : config.databaseDirectUrl;
  const clickhouseUrl = config.clickhouseUrl ?? runtime?.clickhouseUrl;
  if (!databaseUrl || !clickhouseUrl) {
    throw unavailable(
      `No Errata server runs on ${config.dataDir}: start it with npm start, or set ERRATA_DATA_DIR to its folder`,
    );
  }
  const secret = config.secret ?? findSecret(config.dataDir);
  const addresses = { databaseUrl, databaseDirectUrl, clickhouseUrl, secret };
  const { stores, postgres, clickhouse, inbox, close } = await openStores(addresses, config, { poolMax: 2 });
  return {
    stores,
    publicUrl: runtime?.url ?? config.publicUrl,
    localUrl: runtime?.localUrl ?? config.publicUrl,
    metricsToken: findMetricsToken(config),
    now: Date.now,
    diagnoseStores: () => Promise.all([diagnosePostgres(postgres), diagnoseClickhouse(clickhouse)]),
    openBackupParts: ({ withSecrets }) =>
      openBackupParts(config, addresses, { withSecrets, log: createLog('backup', config.logLevel) }),
    replayRecord: (id) => replayRecord(stores.quarantine, inbox, id),
    openImportSink: () => createImportSink(config, inbox),
    hasMailServer: config.smtp !== null,
    openMailer: () => openMailer(config.smtp, createLog('import', config.logLevel)),
    close,
  };
}

/** Beside external stores on another machine there may be none: then what is encrypted stays closed. */
function findSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  return existsSync(file) ? readOrMakeSecret(file) : randomBytes(32).toString('base64url');
}

/**
 * Gives a quarantined record to the digest of this spool again. Throws NotFound, and Conflict when it was given before or
 * its project is deleted.
 */
export async function replayRecord(
  quarantine: QuarantineStore,
  inbox: Pick<SpoolInbox, 'append'>,
  id: number,
): Promise<void> {
  const item = await quarantine.find(id);
  if (!item) throw notFound(`There is no item ${id} in quarantine: see errata quarantine list`);
  // A replay is no duplicate of what was stored before, so a second one would be counted twice.
  if (item.replayedAt !== null) throw conflict(`Number ${id} has been replayed already`);
  if (await quarantine.isOfDeletedProject(id)) {
    throw conflict(
      `Number ${id} is of project ${item.projectId}, which was deleted: it cannot be replayed, and goes with what else the project stored`,
    );
  }
  // What the edge had decided was counted when the record was set aside.
  const record = encodeRecord({ ...decodeRecord(item.record), isReplay: true, outcomes: [] });
  await inbox.append(record, item);
  await quarantine.markReplayed(id, Date.now());
}
