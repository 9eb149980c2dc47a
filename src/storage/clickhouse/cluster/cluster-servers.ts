import type { ClickHouseSettings } from '@clickhouse/client';
import { isLoopbackHost } from '#lib/loopback-host.ts';
import { MINUTE_MS } from '#lib/time.ts';
import { type ClickhouseConnection, connectClickhouse } from '../client.ts';
import { ACROSS_SHARDS } from './across-shards.ts';

/** Servers of one cluster. */
const SERVERS_MAX = 1_000;
/** What is known of the servers is asked anew after so long. */
const KNOWN_MS = MINUTE_MS;

export type ClusterServer = {
  shard: number;
  replica: number;
  host: string;
  /** To the database with the tables of its own. */
  stored: ClickhouseConnection;
  /** To its database `system`. */
  system: ClickhouseConnection;
};

export type ClusterLayout = {
  servers: readonly ClusterServer[];
  /** Whether tables are kept alike through Keeper. */
  isReplicated: boolean;
};

/** Changes have ended when they have on every server; those with subqueries are run by each for itself. */
const CHANGE_SETTINGS: ClickHouseSettings = {
  alter_sync: '2',
  allow_nondeterministic_mutations: 1,
  ...ACROSS_SHARDS,
};

/** The servers of a cluster, as the one at the address names them. They answer HTTP at the same port, to the same user. */
export class ClusterServers {
  readonly #address: URL;
  readonly #cluster: string;
  readonly #storedIn: string;
  readonly #entrance: ClickhouseConnection;
  readonly #connections = new Map<string, Pick<ClusterServer, 'stored' | 'system'>>();
  #layout: { at: number; value: Promise<ClusterLayout> } | null = null;

  constructor(address: URL, cluster: string, storedIn: string) {
    this.#address = address;
    this.#cluster = cluster;
    this.#storedIn = storedIn;
    this.#entrance = connectClickhouse(address, 'system');
  }

  layout(): Promise<ClusterLayout> {
    if (this.#layout && performance.now() - this.#layout.at < KNOWN_MS) return this.#layout.value;
    const value = this.#read();
    this.#layout = { at: performance.now(), value };
    value.catch(() => {
      this.#layout = null;
    });
    return value;
  }

  async ping(): Promise<void> {
    await this.#entrance.ping();
    // Fails when no server of a shard answers, and names it.
    await this.#entrance.query(`SELECT count() FROM cluster('${this.#cluster}', system.one)`, {});
  }

  async close(): Promise<void> {
    const all = [...this.#connections.values()].flatMap(({ stored, system }) => [stored, system]);
    await Promise.all([this.#entrance, ...all].map((connection) => connection.close()));
  }

  async #read(): Promise<ClusterLayout> {
    const rows = await this.#entrance.query<{ shard: number; replica: number; host: string }>(
      `SELECT shard_num AS shard, replica_num AS replica, host_name AS host FROM system.clusters
       WHERE cluster = {cluster:String} ORDER BY shard, replica LIMIT ${SERVERS_MAX}`,
      { cluster: this.#cluster },
    );
    if (rows.length === 0) throw new Error(await this.#explainMissing());
    const servers = rows.map((row) => ({ ...row, ...this.#connect(row.host) }));
    const isReplicated = await this.#findReplicated(servers);
    const shared = servers.find(({ replica }) => replica > 1);
    if (shared && !isReplicated)
      throw new Error(
        `Shard ${shared.shard} of the cluster "${this.#cluster}" has several servers, and its tables are not replicated: configure Keeper on all servers before the first start, or leave one server in each shard (docs/scale.md)`,
      );
    return { servers, isReplicated };
  }

  #connect(host: string): Pick<ClusterServer, 'stored' | 'system'> {
    const known = this.#connections.get(host);
    if (known) return known;
    if (isLoopbackHost(host) && !isLoopbackHost(this.#address.hostname))
      throw new Error(
        `The cluster "${this.#cluster}" names a server ${host}, which is another one for each machine: write its host name into remote_servers`,
      );
    const address = new URL(this.#address);
    address.hostname = host.includes(':') ? `[${host}]` : host;
    const connections = {
      stored: connectClickhouse(address, this.#storedIn, CHANGE_SETTINGS),
      system: connectClickhouse(address, 'system', CHANGE_SETTINGS),
    };
    this.#connections.set(host, connections);
    return connections;
  }

  /** As the tables are that exist; for new ones, whether there is a Keeper. */
  async #findReplicated(servers: readonly ClusterServer[]): Promise<boolean> {
    const [tables] = await this.#entrance.query<{ tables: number; replicated: number }>(
      `SELECT count() AS tables, countIf(startsWith(engine, 'Replicated')) AS replicated
       FROM system.tables WHERE database = {database:String} AND name = 'events'`,
      { database: this.#storedIn },
    );
    if (tables && tables.tables > 0) return tables.replicated > 0;
    const [keeper] = await this.#entrance.query<{ known: number }>(
      `SELECT count() AS known FROM system.tables WHERE database = 'system' AND name = 'zookeeper_connection'`,
      {},
    );
    if (!keeper?.known) return false;
    for (const { host, system } of servers) {
      const [macros] = await system.query<{ known: number }>(
        `SELECT count() AS known FROM system.macros WHERE macro IN ('shard', 'replica')`,
        {},
      );
      if (macros?.known !== 2)
        throw new Error(
          `${host} has a Keeper, and no macros "shard" and "replica": add both to its configuration, so that its tables can be replicated`,
        );
    }
    return true;
  }

  async #explainMissing(): Promise<string> {
    const rows = await this.#entrance.query<{ cluster: string }>(
      'SELECT DISTINCT cluster FROM system.clusters ORDER BY cluster LIMIT 20',
      {},
    );
    const names = rows.map(({ cluster }) => cluster).join(', ') || 'none';
    return `${this.#address.host} knows no cluster "${this.#cluster}" (it knows ${names}): check CLICKHOUSE_CLUSTER, and remote_servers in the configuration of ClickHouse`;
  }
}
