import { Readable } from 'node:stream';
import { ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client';
import { clusterOf } from '#lib/clickhouse-address.ts';
import { DAY_MS } from '#lib/time.ts';
import { translateClickhouseError } from '../clickhouse-errors.ts';
import { nameOfDatabase } from '../client.ts';
import { ACROSS_SHARDS, storedBeside } from '../cluster/across-shards.ts';

/** Of one request that reads or writes a partition. */
const REQUEST_MS_MAX = DAY_MS;
const CONNECTIONS_MAX = 4;
/** Rows of one block in bytes: larger ones compress better, smaller ones take less memory. */
const BLOCK_BYTES_MAX = 16 * 1024 * 1024;
/** Bytes of the rows of one part when they are written. */
const INSERT_BLOCK_BYTES_MAX = 128 * 1024 * 1024;

const READ_SETTINGS: ClickHouseSettings = {
  max_execution_time: 0,
  max_block_size: '65409',
  preferred_block_size_bytes: String(BLOCK_BYTES_MAX),
  max_threads: 1,
  // ClickHouse compresses: what leaves it is a tenth.
  http_zlib_compression_level: '1',
  send_progress_in_http_headers: 0,
};

const WRITE_SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  max_execution_time: 0,
  input_format_parallel_parsing: 0,
  insert_deduplicate: 0,
  min_insert_block_size_bytes: String(INSERT_BLOCK_BYTES_MAX),
  min_insert_block_size_rows: '0',
  max_insert_threads: '1',
  wait_end_of_query: 1,
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '10000',
};
const HEADER_BYTES_MAX = 64 * 1024 * 1024;

export type BulkClient = {
  /** Name of the database with the tables that hold rows. */
  storedIn: string;
  /** Rows in the format Native, compressed by zstd. An error of the server breaks the stream off. */
  read(sql: string): AsyncIterable<Buffer>;
  /** What `read` gave; on disk when it resolves. */
  write(sql: string, rows: AsyncIterable<Buffer>): Promise<void>;
  /** Small answers. */
  query<Row>(sql: string, params?: Readonly<Record<string, unknown>>): Promise<Row[]>;
  command(sql: string): Promise<void>;
  close(): Promise<void>;
};

/** Connections for whole partitions: requests take as long as they need. */
export function openBulkClient(url: string): BulkClient {
  const address = new URL(url);
  const database = nameOfDatabase(address);
  const cluster = clusterOf(address);
  const client = createClient({
    url: address.origin,
    username: decodeURIComponent(address.username) || 'default',
    password: decodeURIComponent(address.password),
    database,
    application: 'errata-backup',
    request_timeout: REQUEST_MS_MAX,
    max_open_connections: CONNECTIONS_MAX,
    max_response_headers_size: HEADER_BYTES_MAX,
    compression: { request: false, response: { codec: 'zstd' } },
    clickhouse_settings: cluster === null ? {} : ACROSS_SHARDS,
    log: { level: ClickHouseLogLevel.OFF },
  });
  const translating = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw translateClickhouseError(error);
    }
  };
  return {
    storedIn: cluster === null ? database : storedBeside(database),
    async *read(sql) {
      const { stream } = await translating(() =>
        client.exec({
          query: `${sql} FORMAT Native`,
          decompress_response_stream: false,
          clickhouse_settings: READ_SETTINGS,
        }),
      );
      yield* stream;
    },
    write: (sql, rows) =>
      translating(async () => {
        const { stream } = await client.exec({
          query: `${sql} FORMAT Native`,
          values: Readable.from(rows, { objectMode: false }),
          http_headers: { 'Content-Encoding': 'zstd' },
          decompress_response_stream: false,
          clickhouse_settings: WRITE_SETTINGS,
        });
        // The answer is empty; read to its end so that the connection can be used again.
        for await (const _ of stream);
      }),
    query: <Row>(sql: string, params: Readonly<Record<string, unknown>> = {}) =>
      translating(async () => {
        const result = await client.query({
          query: sql,
          query_params: { ...params },
          format: 'JSONEachRow',
          clickhouse_settings: {
            output_format_json_quote_64bit_integers: 0,
            max_execution_time: 0,
            max_threads: 1,
          },
        });
        return await result.json<Row>();
      }),
    command: (sql) =>
      translating(
        async () =>
          void (await client.command({ query: sql, clickhouse_settings: { wait_end_of_query: 1 } })),
      ),
    close: () => client.close(),
  };
}
