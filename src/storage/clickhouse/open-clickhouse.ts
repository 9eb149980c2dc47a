import { clusterOf } from '#lib/clickhouse-address.ts';
import { type ClickhouseDatabase, connectClickhouse, nameOfDatabase } from './client.ts';
import { openCluster } from './cluster/open-cluster.ts';

/**
 * Opens connections to a ClickHouse server by its HTTP address, `http://user:password@host:8123/database`; the database
 * is `errata` when the address names none. With `?cluster=name`, to all servers of that cluster.
 */
export function openClickhouse(url: string): ClickhouseDatabase {
  const address = new URL(url);
  const name = nameOfDatabase(address);
  const cluster = clusterOf(address);
  if (cluster !== null) return openCluster(address, name, cluster);
  const server = connectClickhouse(address, name);
  return {
    ...server,
    name,
    storedIn: name,
    system: (table) => `system.${table}`,
    shards: async () => [server],
    joinTables: async () => {},
    servers: async () => [],
  };
}
