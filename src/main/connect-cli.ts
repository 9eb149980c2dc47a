import type { CliConnection } from '#cli/cli-connection.ts';
import { decodeRecord, encodeRecord } from '#ingest/spool-record.ts';
import { conflict, notFound, unavailable } from '#lib/errors.ts';
import { putIntoInbox } from '#storage/spool-files/inbox.ts';
import type { Config } from '../config.ts';
import { spoolFolder } from './open-spool.ts';
import { openStores } from './open-stores.ts';
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
  const { stores, close } = openStores({ databaseUrl, clickhouseUrl }, config, { poolMax: 2 });
  return {
    stores,
    publicUrl: runtime?.url ?? config.publicUrl,
    localUrl: runtime?.localUrl ?? config.publicUrl,
    now: Date.now,
    async replayRecord(id) {
      const item = await stores.quarantine.find(id);
      if (!item) throw notFound(`Nothing in quarantine has the number ${id}: see errata quarantine list`);
      // A replay is no duplicate of what was stored before, so a second one would be counted twice.
      if (item.replayedAt !== null) throw conflict(`Number ${id} has been replayed already`);
      // What the edge had decided was counted when the record was set aside.
      const record = encodeRecord({ ...decodeRecord(item.record), isReplay: true, outcomes: [] });
      await putIntoInbox(spoolFolder(config.dataDir), record);
      await stores.quarantine.markReplayed(id, Date.now());
    },
    close,
  };
}
