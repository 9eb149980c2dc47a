/** Settings of the embedded server: loopback only, memory bounded, every insert synced to disk. */
export function clickhouseConfig(options: {
  httpPort: number;
  memoryBytesMax: number;
  usersFile: string;
}): string {
  return `<clickhouse>
  <logger><level>warning</level><console>0</console></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${options.httpPort}</http_port>
  <users_config>${escapeXml(options.usersFile)}</users_config>
  <max_server_memory_usage>${options.memoryBytesMax}</max_server_memory_usage>
  <mark_cache_size>16777216</mark_cache_size>
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
  <background_merges_mutations_concurrency_ratio>2</background_merges_mutations_concurrency_ratio>
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
  </merge_tree>
</clickhouse>
`;
}

/**
 * Nothing is compiled: our queries are short, and without a cache, which costs memory, each would be compiled anew (25 ms).
 * Two users: `default` is the engine's own local session and may only listen and sleep; `errata` is the application,
 * with its database and nothing that reaches files or the network.
 */
export function clickhouseUsers(passwordSha256Hex: string, memoryBytesMax: number): string {
  const perQuery = Math.floor(memoryBytesMax * 0.6);
  return `<clickhouse>
  <profiles>
    <default>
      <max_threads>2</max_threads>
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
    <errata>
      <password_sha256_hex>${passwordSha256Hex}</password_sha256_hex>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT SELECT, INSERT, ALTER, CREATE, DROP, TRUNCATE, OPTIMIZE, SHOW ON errata.*</query>
        <query>GRANT SELECT, INSERT, ALTER, CREATE, DROP, TRUNCATE, OPTIMIZE, SHOW ON test_*.*</query>
        <query>GRANT TABLE ENGINE ON *</query>
        <query>GRANT SELECT ON system.*</query>
      </grants>
    </errata>
  </users>
  <quotas><default></default></quotas>
</clickhouse>
`;
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
