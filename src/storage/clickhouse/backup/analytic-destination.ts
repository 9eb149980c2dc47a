import type { Log } from '#lib/log.ts';
import type { AnalyticDestination } from '#storage/ports/backup-sources.ts';
import { migrateClickhouse } from '../migrate.ts';
import { openClickhouse } from '../open-clickhouse.ts';
import { openBulkClient } from './bulk-client.ts';
import { columnsOf, listTableNames, measurePartition } from './stored-tables.ts';

/** Ids of one page. */
const PAGE_IDS_MAX = 50_000;

/** Fills an empty database, or one that is not there yet. */
export function openAnalyticDestination(url: string, log: Log): AnalyticDestination {
  const database = openClickhouse(url);
  const client = openBulkClient(url);
  return {
    async describeContent() {
      for (const name of new Set([database.storedIn, database.name]))
        await database.commandOutside(`CREATE DATABASE IF NOT EXISTS ${name} ENGINE = Atomic`);
      const tables = (await listTableNames(client)).length;
      return tables === 0 ? null : `${tables} tables`;
    },
    prepare: (migrations) => migrateClickhouse(database, log, { upTo: migrations }),
    write: (table, rows) => client.write(`INSERT INTO ${table.name} (${columnsOf(table)})`, rows),
    measure: (partition, keys) => measurePartition(client, partition, { keys }),

    async *listEventIds(sinceMs) {
      for (const [table, id, received] of EVENT_IDS) {
        let after = '';
        for (;;) {
          const rows = await client.query<{ projectId: number; eventId: string }>(
            `SELECT project_id AS projectId, toString(${id}) AS eventId FROM ${table}
             WHERE ${received} >= fromUnixTimestamp64Milli({since:Int64}) AND toString(${id}) > {after:String}
             ORDER BY eventId LIMIT ${PAGE_IDS_MAX}`,
            { since: Math.floor(sinceMs), after },
          );
          if (rows.length > 0) yield rows;
          if (rows.length < PAGE_IDS_MAX) break;
          after = rows.at(-1)?.eventId ?? '';
        }
      }
    },

    async close() {
      await Promise.all([client.close(), database.close()]);
    },
  };
}

/** What digest remembers the ids of: table, id, time of arrival. */
const EVENT_IDS = [
  ['events', 'event_id', 'received_at'],
  ['transactions', 'event_id', 'received_at'],
] as const;
