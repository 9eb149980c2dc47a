import { messageOf } from '#lib/errors.ts';
import { translateClusterError } from '../clickhouse-errors.ts';
import type { ServerState } from '../client.ts';
import { type ClickhouseDatabase, type ClickhouseShard, connectClickhouse } from '../client.ts';
import { ACROSS_SHARDS, storedBeside } from './across-shards.ts';
import type { ClusterServer } from './cluster-servers.ts';
import { ClusterServers } from './cluster-servers.ts';
import { joinTables } from './join-tables.ts';
import { openShard } from './open-shard.ts';

/** All servers of a cluster as one database: rows go to the shard that their key names, and statements that change rows to every shard. */
export function openCluster(address: URL, name: string, cluster: string): ClickhouseDatabase {
  const storedIn = storedBeside(name);
  const servers = new ClusterServers(address, cluster, storedIn);
  const whole = connectClickhouse(address, name, ACROSS_SHARDS);
  const shards = async (): Promise<readonly ClickhouseShard[]> => {
    const layout = await servers.layout();
    const byShard = Map.groupBy(layout.servers, ({ shard }) => shard);
    return [...byShard.values()].map((own) =>
      openShard(
        own.map(({ stored }) => stored),
        { database: storedIn, isReplicated: layout.isReplicated },
      ),
    );
  };
  /** All have ended when it resolves or throws. */
  const onShards = async (run: (shard: ClickhouseShard) => Promise<void>): Promise<void> => {
    for (const result of await Promise.allSettled((await shards()).map(run)))
      if (result.status === 'rejected') throw result.reason;
  };
  return {
    name,
    storedIn,
    query: (sql, params) => translating(whole.query(sql, params)),
    insert: (table, rows, token) => translating(whole.insert(table, rows, token)),
    insertBinary: (table, columns, rows, token) =>
      translating(whole.insertBinary(table, columns, rows, token)),
    command: (sql) => translating(onShards((shard) => shard.command(sql))),
    write: (sql, params) => translating(onShards((shard) => shard.write(sql, params))),
    async commandOutside(sql) {
      for (const { system } of (await servers.layout()).servers) await system.command(sql);
    },
    system: (table) => `cluster('${cluster}', system.${table})`,
    shards,
    async joinTables(tables) {
      const joined = { cluster, name, storedIn };
      await Promise.all((await servers.layout()).servers.map((server) => joinTables(server, tables, joined)));
    },
    servers: async () =>
      await Promise.all(
        (await servers.layout()).servers.map((server) => readServerState(server, { name, storedIn })),
      ),
    ping: () => servers.ping(),
    async close() {
      await Promise.all([whole.close(), servers.close()]);
    },
  };
}

async function translating<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw translateClusterError(error);
  }
}

/** Asks a server how it is; it never throws. */
async function readServerState(
  { shard, host, system }: ClusterServer,
  { name, storedIn }: { name: string; storedIn: string },
): Promise<ServerState> {
  const server = { name: `shard ${shard}, ${host}`, error: null };
  try {
    const [row] = await system.query<Omit<ServerState, 'name' | 'error'>>(
      `SELECT version() AS version,
         (SELECT sum(rows) FROM system.parts WHERE database = {storedIn:String} AND active) AS rows,
         (SELECT sum(data_files) FROM system.distribution_queue WHERE database = {name:String}) AS waitingFiles,
         (SELECT max(absolute_delay) FROM system.replicas WHERE database = {storedIn:String}) AS delaySeconds`,
      { name, storedIn },
    );
    if (!row) throw new Error('it answered no row');
    return { ...server, ...row };
  } catch (error) {
    return { ...server, error: messageOf(error), version: '', rows: 0, waitingFiles: 0, delaySeconds: 0 };
  }
}
