import type { RelationalSource } from '#storage/ports/backup-sources.ts';
import { connectAlone } from '../database.ts';
import { listMigrations, listSequences, listTables, readTable } from './copy-tables.ts';

/** Reads everything in one transaction, which sees what was stored when it began. */
export function createRelationalSource(database: { url: string }): RelationalSource {
  return {
    async cut() {
      const client = await connectAlone(database.url);
      try {
        // Rows come in the order in which they lie, whoever else reads them.
        await client.query('SET synchronize_seqscans = off');
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        // The first query decides the moment.
        const migrations = await listMigrations(client);
        const tables = await listTables(client);
        let isOver = false;
        return {
          migrations,
          tables,
          readSequences: () => listSequences(client),
          async findSpoolPosition(spoolId) {
            const { rows } = await client.query<{ position: number }>(
              'SELECT position FROM spool_positions WHERE spool_id = $1',
              [spoolId],
            );
            return rows[0]?.position ?? 0;
          },
          read: (table) => readTable(client, table),
          async end() {
            if (isOver) return;
            isOver = true;
            await client.end();
          },
        };
      } catch (error) {
        await client.end();
        throw error;
      }
    },
  };
}
