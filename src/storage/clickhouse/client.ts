import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { MINUTE_MS } from '#lib/time.ts';
import { readingById } from './by-id-settings.ts';
import { isShortOfMemory, translateClickhouseError } from './clickhouse-errors.ts';

const DATABASE_DEFAULT = 'errata';
const REQUEST_TIMEOUT_MS = MINUTE_MS;
const PING_TIMEOUT_MS = 5_000;
/** Connections of one process to ClickHouse. */
const CONNECTIONS_MAX = 16;
/** Less than the 3 seconds after which older servers close an idle connection. */
const IDLE_SOCKET_MS = 2_500;

/** Each waits longer than the one before. */
const READS_SHORT_OF_MEMORY = { triesMax: 4, waitMs: 250 } as const;

const READ_SETTINGS: ClickHouseSettings = {
  max_execution_time: 20,
  timeout_before_checking_execution_speed: 0,
  max_result_rows: '200000',
  result_overflow_mode: 'throw',
  readonly: '2',
  output_format_json_quote_64bit_integers: 0,
  date_time_output_format: 'unix_timestamp',
};

/**
 * Headers of one answer: progress headers of up to 250 bytes each, for days instead of minutes with the default of
 * Node.
 */
const ANSWER_HEADER_BYTES_MAX = 8 * 1024 * 1024;

/** A sign of life now and then, so that the connection is not given up. */
const PATIENT_SETTINGS: ClickHouseSettings = {
  wait_end_of_query: 1,
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '10000',
};

/** One server, and a database of it. Requests that fail because the server is away throw ErrataError `unavailable`. */
export type ClickhouseConnection = {
  /** Reads rows as objects. Values go into `params`, named in the SQL as `{name:Type}`. */
  query<Row>(sql: string, params: Readonly<Record<string, unknown>>): Promise<Row[]>;
  /** Writes the rows as one block, which the server has synced to disk when this resolves. */
  insert(table: string, rows: readonly object[], token: string): Promise<void>;
  /** As `insert`, of rows in the format RowBinary with the values of these columns. */
  insertBinary(table: string, columns: readonly string[], rows: Buffer, token: string): Promise<void>;
  /** Runs a statement that answers nothing. */
  command(sql: string): Promise<void>;
  /** As `command`, with values as in `query`; it may take as long as it needs, and has ended when this resolves. */
  write(sql: string, params: Readonly<Record<string, unknown>>): Promise<void>;
  /** Runs a statement outside the database, for when it does not exist. */
  commandOutside(sql: string): Promise<void>;
  /** Throws ErrataError `unavailable` when the server does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
};

/** What holds a part of all rows in tables of its own: a server, or several with the same rows. */
export type ClickhouseShard = Pick<ClickhouseConnection, 'query' | 'insert' | 'command' | 'write'>;

/** How a server of a cluster is. */
export type ServerState = {
  /** `shard 1`, and its host. */
  name: string;
  /** Why it does not answer; null when it does. */
  error: string | null;
  version: string;
  /** Rows in tables of its own. */
  rows: number;
  /** Files that wait to be sent to other servers. */
  waitingFiles: number;
  /** How far it is behind the servers that have the same rows. */
  delaySeconds: number;
};

/**
 * A server, or a cluster that is used as one: `query`, `insert` and `insertBinary` see the rows of all shards, `command`
 * and `write` run on each shard, in the database of its tables.
 */
export type ClickhouseDatabase = ClickhouseConnection & {
  /** Name of the database in which all rows are seen, on every server. */
  name: string;
  /** Name of the database with the tables that hold rows: the same one without a cluster. */
  storedIn: string;
  /** A table of `system` after FROM, with the rows of all shards. */
  system(table: 'parts' | 'mutations'): string;
  /** One without a cluster. */
  shards(): Promise<readonly ClickhouseShard[]>;
  /** Makes these tables, which all shards have, readable as one; nothing to do without a cluster. */
  joinTables(tables: readonly string[]): Promise<void>;
  /** Of a cluster; none without one. */
  servers(): Promise<readonly ServerState[]>;
};

/** Opens connections to the database of a server. `settings` go with every statement that its own do not decide. */
export function connectClickhouse(
  address: URL,
  name: string,
  settings: ClickHouseSettings = {},
): ClickhouseConnection {
  const inside = connect(address, name, settings);
  const outside = connect(address, 'system', settings);
  const readById = readingById();
  return {
    query: async <Row>(sql: string, params: Readonly<Record<string, unknown>>) =>
      await translating(() =>
        whileShortOfMemory(() =>
          readById(sql, async (query) => {
            const result = await inside.query({
              query,
              query_params: { ...params },
              format: 'JSONEachRow',
              clickhouse_settings: READ_SETTINGS,
            });
            return await result.json<Row>();
          }),
        ),
      ),
    insert: async (table, rows, token) =>
      await translating(async () => {
        await inside.insert({
          table,
          values: rows,
          format: 'JSONEachRow',
          clickhouse_settings: insertSettings(token),
        });
      }),
    insertBinary: async (table, columns, rows, token) =>
      await translating(async () => {
        const { stream } = await inside.exec({
          query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT RowBinary`,
          values: Readable.from(rows, { objectMode: false }),
          clickhouse_settings: insertSettings(token),
        });
        // The answer is empty; read to its end so that the connection can be used again.
        for await (const _ of stream);
      }),
    command: async (sql) => await translating(async () => void (await inside.command({ query: sql }))),
    write: async (sql, params) =>
      await translating(
        async () =>
          void (await inside.command({
            query: sql,
            query_params: { ...params },
            clickhouse_settings: PATIENT_SETTINGS,
          })),
      ),
    commandOutside: async (sql) =>
      await translating(async () => void (await outside.command({ query: sql }))),
    ping: async () =>
      await translating(async () => {
        const answer = await outside.ping({
          select: true,
          abort_signal: AbortSignal.timeout(PING_TIMEOUT_MS),
        });
        if (!answer.success) throw answer.error;
      }),
    close: async () => {
      await Promise.all([inside.close(), outside.close()]);
    },
  };
}

export function nameOfDatabase(address: URL): string {
  const name = decodeURIComponent(address.pathname.slice(1)) || DATABASE_DEFAULT;
  if (/^[A-Za-z0-9_]+$/.test(name)) return name;
  throw new Error(`The ClickHouse database name "${name}" can contain only letters, digits, and underscores`);
}

const insertSettings = (token: string): ClickHouseSettings => ({
  async_insert: 0,
  // Measured: at 1,000 rows of 5 KB, several parsers cost a quarter of the speed.
  input_format_parallel_parsing: 0,
  insert_deduplicate: 1,
  // Days are partitions: what is imported, or waited for long, can be of any number of them.
  max_partitions_per_insert_block: '0',
  insert_deduplication_token: token,
  wait_end_of_query: 1,
});

function connect(address: URL, database: string, settings: ClickHouseSettings): ClickHouseClient {
  // On one machine, compressing costs more than it saves.
  const isFar = !['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
  return createClient({
    url: address.origin,
    username: decodeURIComponent(address.username) || 'default',
    password: decodeURIComponent(address.password),
    database,
    application: 'errata',
    request_timeout: REQUEST_TIMEOUT_MS,
    max_open_connections: CONNECTIONS_MAX,
    max_response_headers_size: ANSWER_HEADER_BYTES_MAX,
    keep_alive: { enabled: true, idle_socket_ttl: IDLE_SOCKET_MS },
    compression: { request: isFar, response: isFar },
    // Lists of keys do not fit into an address.
    use_multipart_params_auto: true,
    clickhouse_settings: settings,
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/** The server as a whole is short of memory, which passes within moments; a statement that needs too much itself does not. */
async function whileShortOfMemory<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await read();
    } catch (error) {
      if (attempt === READS_SHORT_OF_MEMORY.triesMax || !isShortOfMemory(error)) throw error;
      await delay(READS_SHORT_OF_MEMORY.waitMs * attempt);
    }
  }
}

async function translating<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translateClickhouseError(error);
  }
}
