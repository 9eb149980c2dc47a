import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { isAnswerTimeout, translatePostgresErrors } from '#storage/sql/postgres-errors.ts';
import type { Database } from '#storage/sql/schema.ts';

const STATEMENT_TIMEOUT_MS = 30_000;
const LOCK_TIMEOUT_MS = 15_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** A little longer than the server's own, for a server that does not even say that it timed out. */
const ANSWER_TIMEOUT_MS = STATEMENT_TIMEOUT_MS + 5_000;
/** A connection is a process of the server, of 2 to 7 MB; making it anew takes some milliseconds. */
const IDLE_CONNECTION_MS = 10_000;
const PING_TIMEOUT_MS = 5_000;
const CONNECTIONS_DEFAULT = 10;
const KEEP_ALIVE_AFTER_MS = 10_000;
const INT8_OID = 20;

export type PostgresDatabase = {
  url: string;
  db: Kysely<Database>;
  /** The same connections, for libraries that speak `pg`; its errors are translated too. */
  pool: pg.Pool;
  /** Throws ErrataError `unavailable` when the server does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens a pool of connections; none is made before the first query. 64-bit integers are read as numbers, timestamps
 * as dates. Queries that fail because the server is away throw ErrataError `unavailable`, those with text that it cannot
 * keep `invalid`.
 */
export function openPostgres(url: string, options: { poolMax?: number } = {}): PostgresDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolMax ?? CONNECTIONS_DEFAULT,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    lock_timeout: LOCK_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'errata',
    types: { getTypeParser },
    Client: TranslatingClient,
  });
  translatePostgresErrors(pool, 'connect');
  // A connection that breaks while idle is replaced by the pool; without a listener the process would end.
  pool.on('error', () => {});
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  return {
    url,
    db,
    pool,
    async ping() {
      const query: pg.QueryConfig & { query_timeout: number } = {
        text: 'SELECT 1',
        query_timeout: PING_TIMEOUT_MS,
      };
      await pool.query(query);
    },
    async close() {
      if (!pool.ended) await pool.end();
    },
  };
}

/** A connection of its own, outside the pool, whose statements may take as long as they need. The caller ends it. */
export async function connectAlone(url: string): Promise<pg.Client> {
  const client = new TranslatingClient({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'errata',
    types: { getTypeParser },
  });
  await client.connect();
  return client;
}

class TranslatingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // A connection may break after its query was given up; whoever waits is told by the query.
    this.on('error', () => {});
    translatePostgresErrors(this, 'connect');
    translatePostgresErrors(this, 'query', (error) => {
      if (isAnswerTimeout(error)) this.#cut();
    });
  }

  /** Whoever got this connection next would wait behind the statement that nobody waits for any more. */
  #cut(): void {
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;
