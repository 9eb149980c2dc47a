import { createHash } from 'node:crypto';
import type { ClusterServer } from './cluster-servers.ts';
import { SHARDING_KEYS } from './sharding-keys.ts';

type Joined = {
  /** Of the cluster, as its servers call it. */
  cluster: string;
  /** Database of the joined tables. */
  name: string;
  /** Database of the tables with the rows. */
  storedIn: string;
};

type TableState = {
  name: string;
  /** Of the table with the rows, in order, with types and defaults. */
  columns: string;
  /** What the joined table was made of, and its engine; empty when there is none. */
  comment: string;
  engine: string;
};

/**
 * Makes the joined tables of a server, which hold nothing, anew where they differ from what they should be: a statement that reads meanwhile
 * reads the former one to its end. Throws when the database has tables of a single server.
 */
export async function joinTables(
  server: ClusterServer,
  tables: readonly string[],
  joined: Joined,
): Promise<void> {
  for (const table of await findTables(server, tables, joined)) {
    if (table.engine !== '' && table.engine !== 'Distributed')
      throw new Error(
        `The database ${joined.name} of ${server.host} has the tables of a single server: name another database in CLICKHOUSE_URL, and move the data into it (docs/scale.md)`,
      );
    const engine = distributed(table.name, joined);
    const made = createHash('sha256').update(`${engine}\n${table.columns}`).digest('hex');
    if (table.comment === made) continue;
    await server.system.command(
      `CREATE OR REPLACE TABLE ${joined.name}.${table.name} AS ${joined.storedIn}.${table.name} ENGINE = ${engine} COMMENT '${made}'`,
    );
  }
}

/** The engine of a table that reads and writes the tables of all shards. */
export function distributed(
  table: string,
  { cluster, storedIn }: Pick<Joined, 'cluster' | 'storedIn'>,
): string {
  const key = SHARDING_KEYS[table];
  if (key === undefined) throw new Error(`The table ${table} has no sharding key`);
  return `Distributed('${cluster}', '${storedIn}', '${table}', ${key})`;
}

const findTables = (
  { system }: ClusterServer,
  tables: readonly string[],
  { name, storedIn }: Joined,
): Promise<readonly TableState[]> =>
  system.query<TableState>(
    `SELECT stored.name AS name, stored.columns AS columns, joined.comment AS comment, joined.engine AS engine
     FROM (
       SELECT table AS name, toString(groupArray((name, type, default_kind, default_expression))) AS columns
       FROM (SELECT * FROM system.columns WHERE database = {storedIn:String} ORDER BY table, position)
       WHERE table IN {tables:Array(String)} GROUP BY table
     ) AS stored
     LEFT JOIN (SELECT name, comment, engine FROM system.tables WHERE database = {name:String}) AS joined
       ON joined.name = stored.name
     ORDER BY name`,
    { name, storedIn, tables },
  );
