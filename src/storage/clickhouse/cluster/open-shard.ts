import type { ClickhouseConnection, ClickhouseShard } from '../client.ts';
import { replicatedStatement, runsOnEveryReplica } from './replicated-statement.ts';

/**
 * The servers of one shard, which have the same rows. The first one that answers is asked, so that what was just written
 * is read. `database` has their tables.
 */
export function openShard(
  servers: readonly ClickhouseConnection[],
  { database, isReplicated }: { database: string; isReplicated: boolean },
): ClickhouseShard {
  const run = async (sql: string, on: (server: ClickhouseConnection, sql: string) => Promise<void>) => {
    const statement = isReplicated ? replicatedStatement(sql, database) : sql;
    if (!runsOnEveryReplica(statement)) return await on(await firstOf(servers), statement);
    for (const server of servers) await on(server, statement);
  };
  return {
    query: async (sql, params) => (await firstOf(servers)).query(sql, params),
    // Only the list of migrations, which each server has for itself, is written past the joined tables.
    async insert(table, rows, token) {
      for (const server of servers) await server.insert(table, rows, token);
    },
    command: (sql) => run(sql, (server, statement) => server.command(statement)),
    write: (sql, params) => run(sql, (server, statement) => server.write(statement, params)),
  };
}

/** The last one when none answers: it says why. */
async function firstOf(servers: readonly ClickhouseConnection[]): Promise<ClickhouseConnection> {
  for (const server of servers.slice(0, -1)) {
    try {
      await server.ping();
      return server;
    } catch {
      // The next one has the same rows.
    }
  }
  const last = servers.at(-1);
  if (!last) throw new Error('The shard has no server');
  return last;
}
