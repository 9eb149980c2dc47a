import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The account that Errata's processes use. */
export const CLICKHOUSE_USER = 'errata';

/** What a request must carry: nothing else is answered. */
export const clickhouseAuthorization = (password: string): string =>
  `Basic ${Buffer.from(`${CLICKHOUSE_USER}:${password}`).toString('base64')}`;

/**
 * Each column of a large part that is written has buffers of 2 MiB, and a table of events has a hundred: they begin small instead.
 * Before, a merge of 10 parts needed 300 MB, ended for want of memory under load, and began again, for ever.
 */
const COLUMNS_WITH_SMALL_BUFFERS_MIN = 1;
/** With less memory, half as many merges run at once: rows of merges are what grows under load, and questions need some, too. */
const MANY_MERGES_BYTES_MIN = 400 * 1024 * 1024;
/** Of the memory: above it, no merge begins. */
const MERGES_SHARE = 0.35;
/** What a merge holds of each part, at most: a granule. */
const MERGED_PART_BYTES = 10 * 1024 * 1024;
/** Fewer at once would be merged again and again. */
const MERGED_PARTS_MIN = 5;
/**
 * Free memory that each further thread of a query asks for. The engine's own 1 GiB is more than all the memory it is given
 * here: no query had a second thread.
 */
const FREE_BYTES_PER_THREAD = 64 * 1024 * 1024;

/**
 * Settings of the embedded server: loopback only, memory bounded, every insert synced to disk.
 *
 * The engine needs a user `default` without a password for its own session, and cannot tell that session from a
 * request by its address. So the only handler is one that asks for our user's credentials, before any statement is
 * read: every other request, a ping too, is answered 404.
 */
export function clickhouseConfig(options: {
  httpPort: number;
  memoryBytesMax: number;
  /** Of indexes. */
  markCacheBytes: number;
  /** The folder of the data, with nothing of anybody else in it. */
  dataFolder: string;
  usersFile: string;
  password: string;
}): string {
  const { memoryBytesMax } = options;
  const mergesPerThread = memoryBytesMax < MANY_MERGES_BYTES_MIN ? 1 : 2;
  const folder = (name: string) => escapeXml(join(options.dataFolder, name, '/'));
  return `<clickhouse>
  <logger><level>warning</level><console>0</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${options.httpPort}</http_port>
  <http_handlers>
    <rule>
      <headers><Authorization>${clickhouseAuthorization(options.password)}</Authorization></headers>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
    </rule>
  </http_handlers>
  <users_config>${escapeXml(options.usersFile)}</users_config>
  <user_files_path>${folder('user_files')}</user_files_path>
  <user_scripts_path>${folder('user_scripts')}</user_scripts_path>
  <format_schema_path>${folder('format_schemas')}</format_schema_path>
  <access_control_improvements>
    <table_engines_require_grant>true</table_engines_require_grant>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
  </access_control_improvements>
  <max_server_memory_usage>${memoryBytesMax}</max_server_memory_usage>
  <merges_mutations_memory_usage_soft_limit>${Math.floor(memoryBytesMax * MERGES_SHARE)}</merges_mutations_memory_usage_soft_limit>
  <mark_cache_size>${options.markCacheBytes}</mark_cache_size>
  <index_mark_cache_size>4194304</index_mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <mmap_cache_size>64</mmap_cache_size>
  <compiled_expression_cache_size>0</compiled_expression_cache_size>
  <query_cache><max_size_in_bytes>0</max_size_in_bytes></query_cache>
  <max_concurrent_queries>40</max_concurrent_queries>
  <max_connections>256</max_connections>
  <keep_alive_timeout>30</keep_alive_timeout>
  <os_threads_nice_value_merge_mutate>15</os_threads_nice_value_merge_mutate>
  <background_pool_size>2</background_pool_size>
  <background_merges_mutations_concurrency_ratio>${mergesPerThread}</background_merges_mutations_concurrency_ratio>
  <background_schedule_pool_size>2</background_schedule_pool_size>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <background_move_pool_size>1</background_move_pool_size>
  <background_common_pool_size>2</background_common_pool_size>
  <tables_loader_foreground_pool_size>2</tables_loader_foreground_pool_size>
  <tables_loader_background_pool_size>2</tables_loader_background_pool_size>
  <max_thread_pool_size>200</max_thread_pool_size>
  <max_thread_pool_free_size>8</max_thread_pool_free_size>
  <thread_pool_queue_size>1000</thread_pool_queue_size>
  <merge_tree>
    <fsync_after_insert>1</fsync_after_insert>
    <old_parts_lifetime>60</old_parts_lifetime>
    <fsync_part_directory>1</fsync_part_directory>
    <min_rows_to_fsync_after_merge>1</min_rows_to_fsync_after_merge>
    <number_of_free_entries_in_pool_to_execute_mutation>1</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>1</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>1</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
    <max_bytes_to_merge_at_max_space_in_pool>10737418240</max_bytes_to_merge_at_max_space_in_pool>
    <merge_max_block_size>1024</merge_max_block_size>
    <min_columns_to_activate_adaptive_write_buffer>${COLUMNS_WITH_SMALL_BUFFERS_MIN}</min_columns_to_activate_adaptive_write_buffer>
    <max_parts_to_merge_at_once>${Math.max(MERGED_PARTS_MIN, Math.floor((memoryBytesMax * MERGES_SHARE) / MERGED_PART_BYTES))}</max_parts_to_merge_at_once>
  </merge_tree>
</clickhouse>
`;
}

/**
 * Nothing is compiled: our queries are short, and without a cache, which costs memory, each would be compiled anew (25 ms).
 * Files are read by the thread that asks: another one costs a quarter of a short query where a file system cannot tell what it has in memory.
 * Two users: `default` is the engine's own local session and may only listen and sleep; `errata` is the application,
 * with its databases, the kinds of tables that migrations make, and nothing that reaches files or the network.
 */
export function clickhouseUsers(options: {
  password: string;
  /** Names of the databases that the application may use; `*` at the end stands for any rest. */
  databases: readonly string[];
  memoryBytesMax: number;
  queryThreads: number;
}): string {
  const passwordSha256Hex = createHash('sha256').update(options.password).digest('hex');
  const perQuery = Math.floor(options.memoryBytesMax * 0.6);
  const grants = [
    ...options.databases.map((name) => `GRANT ${OWN_DATABASE.join(', ')} ON ${name}.*`),
    ...TABLE_ENGINES.map((engine) => `GRANT TABLE ENGINE ON ${engine}`),
    ...SYSTEM_TABLES.map((table) => `GRANT SELECT ON system.${table}`),
  ];
  return `<clickhouse>
  <profiles>
    <default>
      <max_threads>${options.queryThreads}</max_threads>
      <max_threads_min_free_memory_per_thread>${FREE_BYTES_PER_THREAD}</max_threads_min_free_memory_per_thread>
      <max_insert_threads>1</max_insert_threads>
      <max_memory_usage>${perQuery}</max_memory_usage>
      <max_bytes_before_external_group_by>${Math.floor(perQuery / 2)}</max_bytes_before_external_group_by>
      <max_bytes_before_external_sort>${Math.floor(perQuery / 2)}</max_bytes_before_external_sort>
      <compile_expressions>0</compile_expressions>
      <compile_aggregate_expressions>0</compile_aggregate_expressions>
      <compile_sort_description>0</compile_sort_description>
      <log_queries>0</log_queries>
      <memory_profiler_step>0</memory_profiler_step>
      <use_uncompressed_cache>0</use_uncompressed_cache>
      <local_filesystem_read_method>pread</local_filesystem_read_method>
      <constraints>
        ${REACHING_SETTINGS.map((name) => `<${name}><const/></${name}>`).join('\n        ')}
      </constraints>
    </default>
  </profiles>
  <users>
    <default>
      <password></password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT SELECT ON system.numbers</query>
        <query>GRANT SYSTEM LISTEN ON *.*</query>
      </grants>
    </default>
    <${CLICKHOUSE_USER}>
      <password_sha256_hex>${passwordSha256Hex}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        ${grants.map((grant) => `<query>${escapeXml(grant)}</query>`).join('\n        ')}
      </grants>
    </${CLICKHOUSE_USER}>
  </users>
  <quotas><default></default></quotas>
</clickhouse>
`;
}

/** Of a table: no moving to other disks, no copies of parts beside it, no dictionaries, whose sources reach anywhere. */
const OWN_DATABASE = [
  'SELECT',
  'INSERT',
  'ALTER UPDATE',
  'ALTER DELETE',
  'ALTER COLUMN',
  'ALTER INDEX',
  'ALTER PROJECTION',
  'ALTER TTL',
  'ALTER SETTINGS',
  'ALTER ORDER BY',
  'CREATE DATABASE',
  'CREATE TABLE',
  'CREATE VIEW',
  'DROP',
  'TRUNCATE',
  'OPTIMIZE',
  'SHOW',
];
const TABLE_ENGINES = [
  'Atomic',
  'MergeTree',
  'ReplacingMergeTree',
  'AggregatingMergeTree',
  'SummingMergeTree',
];
const SYSTEM_TABLES = ['one', 'numbers', 'parts', 'mutations', 'merges'];

/** They name files, disks or servers, and are what they are. */
const REACHING_SETTINGS = [
  'format_schema',
  'format_schema_source',
  'format_template_row',
  'format_template_resultset',
  'merge_tree_disk',
  'merge_tree_storage_policy',
];

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
