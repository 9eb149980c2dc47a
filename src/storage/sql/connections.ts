import type { Kysely, PostgresPool } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import type { Database } from './schema.ts';

/** What hands out connections to libraries that speak `pg`: the pool, or the one connection of a transaction. */
export type ConnectionPool = Omit<PostgresPool, 'connect'> & {
  connect(): Promise<PoolClient>;
  query: Pool['query'];
};

/** What stores are made over: the pool itself, or a transaction. */
export type Connections = { db: Kysely<Database>; pool: ConnectionPool };

/**
 * What the work changes through the stores handed to it happens together, or not at all when it throws. Within a
 * transaction the work joins it.
 */
export type InTransaction<Held> = <Result>(work: (stores: Held) => Promise<Result>) => Promise<Result>;

/** Stores that can be made anew over a transaction. */
export type Transactional<Held> = Held & { inTransaction: InTransaction<Transactional<Held>> };
