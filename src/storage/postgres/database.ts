import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { unavailable } from '#lib/errors.ts';
import { type PostgresHost, parsePostgresAddress } from '#lib/postgres-address.ts';
import { isAnswerTimeout, translatePostgresErrors } from '#storage/sql/postgres-errors.ts';
import type { Database } from '#storage/sql/schema.ts';
import { leadTo, PostgresServers, watchFitness } from './servers.ts';

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

type PoolOptions = {
  poolMax?: number;
  /**
   * A pooler in transaction mode stands in between: a session's settings would reach the next one who gets its connection,
   * so each transaction sets its own.
   */
  isPooled?: boolean;
};

/** How a client is led to its server, and what it says to it. */
type ClientOptions = pg.ClientConfig & {
  servers: PostgresServers | null;
  isPooled?: boolean;
  Client: typeof TranslatingClient;
};

/**
 * Opens a pool of connections; none is made before the first query. Of several hosts in the URL, the one that can be written
 * to is used, also after it has changed. 64-bit integers are read as numbers, timestamps as dates. Queries that fail because
 * the server is away throw ErrataError `unavailable`, those with text that it cannot keep `invalid`.
 */
export function openPostgres(
  url: string,
  { poolMax = CONNECTIONS_DEFAULT, isPooled = false }: PoolOptions = {},
): PostgresDatabase {
  const options: ClientOptions & pg.PoolConfig = {
    ...clientOptions(url),
    isPooled,
    max: poolMax,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    ...(!isPooled && SESSION_LIMITS),
  };
  const pool = new pg.Pool(options);
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

/**
 * A connection of its own, outside the pool, whose statements may take as long as they need. The caller ends it. Never
 * through a pooler in transaction mode: who wants it needs a session.
 */
export async function connectAlone(url: string): Promise<pg.Client> {
  const client = new TranslatingClient(clientOptions(url));
  await client.connect();
  return client;
}

const SESSION_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
} as const;

/** The same for one transaction, behind its BEGIN. */
const TRANSACTION_LIMITS = Object.entries(SESSION_LIMITS)
  .map(([name, ms]) => `SET LOCAL ${name} = ${ms}`)
  .join('; ');

/** Servers of a URL are chosen once for a process; there are a handful of URLs. */
const serversOf = new Map<string, PostgresServers | null>();

/** For a pool, also one that a library makes: where the server is, and which client goes there. */
export function clientOptions(url: string): ClientOptions {
  if (!serversOf.has(url)) serversOf.set(url, PostgresServers.of(url));
  return {
    connectionString: parsePostgresAddress(url).url,
    servers: serversOf.get(url) ?? null,
    Client: TranslatingClient,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    application_name: 'errata',
    types: { getTypeParser },
  };
}

class TranslatingClient extends pg.Client {
  readonly #servers: PostgresServers | null;
  #server: PostgresHost | null = null;

  constructor(config?: string | (pg.ClientConfig & Partial<ClientOptions>)) {
    super(config);
    const { servers = null, isPooled = false } = typeof config === 'object' ? config : {};
    this.#servers = servers;
    // A connection may break after its query was given up; whoever waits is told by the query.
    this.on('error', () => this.#forgetServer());
    if (servers) this.#chooseServer(servers);
    translatePostgresErrors(this, 'connect');
    if (isPooled) this.#limitTransactions();
    translatePostgresErrors(this, 'query', (error) => {
      if (isReadOnly(error)) this.#forgetServer();
      if (isAnswerTimeout(error) || (isReadOnly(error) && this.#servers)) this.#cut();
    });
  }

  /** Makes `connect` ask first which server it is to be. */
  #chooseServer(servers: PostgresServers): void {
    const connectHere = this.connect.bind(this) as () => Promise<void>;
    const findFault = watchFitness(this);
    const connect = async () => {
      this.#server = await servers.choose();
      leadTo(this, this.#server);
      try {
        await connectHere();
        const fault = findFault();
        if (fault !== null) throw unavailable(`The PostgreSQL server ${this.#server.host} ${fault}`);
      } catch (error) {
        this.#forgetServer();
        await this.end().catch(() => {});
        throw error;
      }
    };
    this.connect = ((callback?: (error: unknown) => void) => {
      const connecting = connect();
      if (!callback) return connecting;
      connecting.then(
        () => callback(null),
        (error: unknown) => callback(error),
      );
      return undefined;
    }) as pg.Client['connect'];
  }

  #forgetServer(): void {
    if (this.#server) this.#servers?.forget(this.#server);
  }

  /** Makes every BEGIN set the limits that the session does not have. */
  #limitTransactions(): void {
    const plain = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((query: unknown, ...rest: unknown[]) =>
      plain(
        typeof query === 'string' && BEGIN.test(query) ? `${query}; ${TRANSACTION_LIMITS}` : query,
        ...rest,
      )) as pg.Client['query'];
  }

  /** Whoever got this connection next would wait behind the statement that nobody waits for any more. */
  #cut(): void {
    (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  }
}

const BEGIN = /^(begin|start transaction)[^;]*$/i;

/** `read_only_sql_transaction`: the server has become a standby, or is about to. */
const isReadOnly = (error: unknown): boolean => (error as { code?: unknown }).code === '25006';

const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID && format !== 'binary'
    ? Number
    : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser;
