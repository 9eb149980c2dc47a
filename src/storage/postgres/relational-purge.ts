import type { Client } from 'pg';
import type { RelationalPurge } from '#storage/ports/relational-purge.ts';
import type { ConnectionPool } from '#storage/sql/connections.ts';
import { connectAlone } from './database.ts';

/** Nobody waits longer for a table than this; then it is tried again. */
const LOCK_TIMEOUT_MS = 5_000;
/** Rewriting one table. */
const REWRITE_MS_MAX = 30 * 60_000;
/** Files of the log that are written over; by our settings there are far fewer. */
const LOG_FILES_MAX = 256;
const NOT_PERMITTED = '42501';
const TABLE = /^[a-z_]+$/;

/** `sessionUrl` goes around a pooler in transaction mode: limits of a session must not reach others. */
export function createRelationalPurge(pool: ConnectionPool, sessionUrl: string): RelationalPurge {
  return {
    async measure(tables) {
      const { rows } = await pool.query<{ bytes: string }>(
        'SELECT coalesce(sum(pg_total_relation_size(to_regclass(name))), 0) AS bytes FROM unnest($1::text[]) AS name',
        [tables],
      );
      return Number(rows[0]?.bytes ?? 0);
    },

    async purge(tables) {
      const client = await connectAlone(sessionUrl);
      try {
        await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
        await client.query(`SET statement_timeout = ${REWRITE_MS_MAX}`);
        const hasRewrittenTables = await permitted(async () => {
          for (const table of tables) await rewrite(client, table);
          await rewriteStatistics(client);
        });
        const hasRenewedLog = await permitted(() => renewLog(client));
        return { hasRewrittenTables, hasRenewedLog };
      } finally {
        await client.end();
      }
    },
  };
}

async function rewrite(client: Client, table: string): Promise<void> {
  if (!TABLE.test(table)) throw new Error(`"${table}" is not a table`);
  await patiently(client, `VACUUM (FULL, ANALYZE) ${table}`);
}

/** They hold the most frequent values of columns. Who may not rewrite them gets a warning, and no error. */
async function rewriteStatistics(client: Client): Promise<void> {
  const find = async (): Promise<unknown> => {
    const { rows } = await client.query("SELECT pg_relation_filenode('pg_statistic') AS file");
    return (rows[0] as { file: unknown }).file;
  };
  const before = await find();
  await patiently(client, 'VACUUM (FULL) pg_statistic');
  if ((await find()) === before)
    throw Object.assign(new Error('pg_statistic was skipped'), { code: NOT_PERMITTED });
}

/**
 * A checkpoint gives old files of the log the names of later ones, with what they hold, which is written over when their turn
 * comes. So as many files as there are get filled, the rest of each with zeros by a switch; and again, since the files that
 * were in use at the beginning are only renamed by the checkpoint at the end of the first round.
 */
async function renewLog(client: Client): Promise<void> {
  await patiently(client, 'CHECKPOINT');
  for (let round = 0; round < 2; round += 1) {
    const { rows } = await client.query<{ files: number }>(
      'SELECT count(*)::int AS files FROM pg_ls_waldir()',
    );
    const files = Math.min(LOG_FILES_MAX, (rows[0]?.files ?? 0) + 1);
    for (let file = 0; file < files; file += 1) {
      await client.query("SELECT pg_logical_emit_message(false, 'errata', 'renewed'), pg_switch_wal()");
    }
    await patiently(client, 'CHECKPOINT');
  }
}

/** Given up here as well, in case that the server falls silent. */
const patiently = (client: Client, text: string): Promise<unknown> =>
  client.query({ text, query_timeout: REWRITE_MS_MAX } as { text: string });

/** False when the server does not let us. */
async function permitted(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const code = (error as { code?: unknown; cause?: { code?: unknown } }).code;
    const cause = (error as { cause?: { code?: unknown } }).cause?.code;
    if (code === NOT_PERMITTED || cause === NOT_PERMITTED) return false;
    throw error;
  }
}
