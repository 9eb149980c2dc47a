import type { Client } from 'pg';
import type { Log } from '#lib/log.ts';
import type { RelationalDestination } from '#storage/ports/backup-sources.ts';
import { connectAlone } from '../database.ts';
import { migratePostgres } from '../migrate.ts';
import { countRows, listTables, readTable, setSequence, writeTable } from './copy-tables.ts';

type ForeignKey = { table: string; name: string; definition: string };

/** Fills an empty database. Keys between tables are taken away first and put back last, which checks them. */
export async function openRelationalDestination(
  database: { url: string },
  log: Log,
): Promise<RelationalDestination> {
  const client = await connectAlone(database.url);
  let foreignKeys: readonly ForeignKey[] = [];
  return {
    async describeContent() {
      const { rows } = await client.query<{ tables: number }>(
        `SELECT count(*) AS tables FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
      );
      const tables = rows[0]?.tables ?? 0;
      return tables === 0 ? null : `${tables} tables`;
    },

    async prepare(migrations) {
      await migratePostgres(database, log, { upTo: migrations });
      foreignKeys = await listForeignKeys(client);
      for (const { table, name } of foreignKeys) {
        await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${client.escapeIdentifier(name)}`);
      }
      // Migrations may have written rows, and triggers would write others.
      for (const { name } of await listTables(client)) {
        const table = client.escapeIdentifier(name);
        await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
        await client.query(`TRUNCATE ${table}`);
      }
    },

    write: (table, rows) => writeTable(client, table, rows),

    async finish(sequences) {
      for (const sequence of sequences) await setSequence(client, sequence);
      for (const { name } of await listTables(client)) {
        await client.query(`ALTER TABLE ${client.escapeIdentifier(name)} ENABLE TRIGGER USER`);
      }
      for (const { table, name, definition } of foreignKeys) {
        await client.query(
          `ALTER TABLE ${table} ADD CONSTRAINT ${client.escapeIdentifier(name)} ${definition}`,
        );
      }
      // Otherwise the first queries would be planned for empty tables.
      await client.query('ANALYZE');
    },

    count: (table) => countRows(client, table),
    read: (table) => readTable(client, table),
    close: () => client.end(),
  };
}

async function listForeignKeys(client: Client): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS "table", conname AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY oid`,
  );
  return rows;
}
