-- Checks of uptime monitors: see src/domain/uptime/check.ts. A row that is inserted again replaces itself.
CREATE TABLE IF NOT EXISTS uptime_checks (
  organization_id UInt64,
  project_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  monitor_id UInt64,
  check_id FixedString(32) CODEC(ZSTD(1)),
  checked_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  scheduled_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  status LowCardinality(String),
  reason LowCardinality(String),
  detail String CODEC(ZSTD(1)),
  status_code UInt16 CODEC(ZSTD(1)),
  duration_ms Float64 CODEC(ZSTD(1)),
  dns_ms Nullable(Float64) CODEC(ZSTD(1)),
  connect_ms Nullable(Float64) CODEC(ZSTD(1)),
  tls_ms Nullable(Float64) CODEC(ZSTD(1)),
  first_byte_ms Nullable(Float64) CODEC(ZSTD(1)),
  region LowCardinality(String),
  trace_id FixedString(32) CODEC(ZSTD(1)),
  is_retry Bool,
  is_in_maintenance Bool,
  is_in_incident Bool,
  certificate_expires_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
  INDEX trace_id_bloom trace_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, monitor_id, checked_at, check_id)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000,
  -- As in 0009: a finished day becomes one part, in which no row lies twice.
  min_age_to_force_merge_seconds = 7200,
  min_age_to_force_merge_on_partition_only = 1,
  enable_max_bytes_limit_for_min_age_to_force_merge = 1;
