-- Every statement here may run again: ClickHouse has no transactions, so a migration that was interrupted is repeated.

-- 1,024 rows to a mark and not 8,192: an event is read whole, at 5 KB and more, and a mark is read at once.
CREATE TABLE IF NOT EXISTS events (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  event_id FixedString(32) CODEC(ZSTD(1)),
  grouping_hash FixedString(32) CODEC(ZSTD(1)),
  type LowCardinality(String),
  level LowCardinality(String),
  platform LowCardinality(String),
  occurred_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  title String CODEC(ZSTD(1)),
  culprit String CODEC(ZSTD(1)),
  message String CODEC(ZSTD(1)),
  metadata String CODEC(ZSTD(1)),
  logger LowCardinality(String),
  -- Empty for what an event does not have, here and below.
  release LowCardinality(String),
  dist LowCardinality(String),
  environment LowCardinality(String),
  transaction LowCardinality(String),
  trace_id String CODEC(ZSTD(1)),
  user_id String CODEC(ZSTD(1)),
  user_email String CODEC(ZSTD(1)),
  user_username String CODEC(ZSTD(1)),
  user_ip String CODEC(ZSTD(1)),
  -- Who it happened to, for counting: 0 for nobody known.
  user_hash UInt64 MATERIALIZED multiIf(
    user_id != '', sipHash64('id', user_id),
    user_email != '', sipHash64('email', user_email),
    user_username != '', sipHash64('username', user_username),
    user_ip != '', sipHash64('ip', user_ip),
    0),
  sdk_name LowCardinality(String),
  sdk_version LowCardinality(String),
  tags Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  payload String CODEC(ZSTD(1)),
  INDEX event_id_bloom event_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX occurred_at_minmax occurred_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, grouping_hash, occurred_at, event_id)
SETTINGS
  index_granularity = 1024,
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;
