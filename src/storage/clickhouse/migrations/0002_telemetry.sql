-- Everything but errors: see src/protocol/telemetry.ts for what the columns mean. As in 0001, every statement may run
-- again, and what a row does not have is empty.
-- The last columns of each sorting key are the identity of a row: a row that is inserted again replaces itself. Days are
-- by arrival, which stays the same when a record is digested again.

-- The errors of a trace are looked for by its id alone; parts that are older than this index are scanned.
ALTER TABLE events ADD INDEX IF NOT EXISTS trace_id_bloom trace_id TYPE bloom_filter(0.005) GRANULARITY 1;

-- 1,024 rows to a mark, as for events: the payload is large.
CREATE TABLE IF NOT EXISTS transactions (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  event_id FixedString(32) CODEC(ZSTD(1)),
  trace_id FixedString(32) CODEC(ZSTD(1)),
  span_id FixedString(16) CODEC(ZSTD(1)),
  name LowCardinality(String),
  op LowCardinality(String),
  status LowCardinality(String),
  platform LowCardinality(String),
  started_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
  ended_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
  release LowCardinality(String),
  dist LowCardinality(String),
  environment LowCardinality(String),
  user_id String CODEC(ZSTD(1)),
  user_email String CODEC(ZSTD(1)),
  user_username String CODEC(ZSTD(1)),
  user_ip String CODEC(ZSTD(1)),
  sdk_name LowCardinality(String),
  sdk_version LowCardinality(String),
  tags Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  measurements Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  span_count UInt32 CODEC(ZSTD(1)),
  profile_id String CODEC(ZSTD(1)),
  replay_id String CODEC(ZSTD(1)),
  payload String CODEC(ZSTD(1)),
  INDEX event_id_bloom event_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX trace_id_bloom trace_id TYPE bloom_filter(0.005) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, started_at, event_id)
SETTINGS
  index_granularity = 1024,
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

-- Spans of one trace lie together within an hour, so that their ids compress and a trace is read in few places.
CREATE TABLE IF NOT EXISTS spans (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  trace_id FixedString(32) CODEC(ZSTD(1)),
  span_id FixedString(16) CODEC(ZSTD(1)),
  parent_span_id String CODEC(ZSTD(1)),
  segment_id String CODEC(ZSTD(1)),
  is_segment Bool,
  transaction_id String CODEC(ZSTD(1)),
  source LowCardinality(String),
  op LowCardinality(String),
  name String CODEC(ZSTD(1)),
  segment_name LowCardinality(String),
  status LowCardinality(String),
  kind LowCardinality(String),
  origin LowCardinality(String),
  started_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
  duration_us UInt64 CODEC(T64, ZSTD(1)),
  release LowCardinality(String),
  environment LowCardinality(String),
  platform LowCardinality(String),
  sdk_name LowCardinality(String),
  user_id String CODEC(ZSTD(1)),
  attributes_text Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  attributes_number Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  attributes_flag Map(LowCardinality(String), Bool) CODEC(ZSTD(1)),
  links String CODEC(ZSTD(1)),
  INDEX trace_id_bloom trace_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX started_at_minmax started_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, toStartOfHour(started_at), trace_id, span_id)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS logs (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  row_id FixedString(32) CODEC(ZSTD(1)),
  occurred_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
  trace_id String CODEC(ZSTD(1)),
  span_id String CODEC(ZSTD(1)),
  level LowCardinality(String),
  severity_number UInt8,
  body String CODEC(ZSTD(1)),
  source LowCardinality(String),
  release LowCardinality(String),
  environment LowCardinality(String),
  sdk_name LowCardinality(String),
  attributes_text Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  attributes_number Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  attributes_flag Map(LowCardinality(String), Bool) CODEC(ZSTD(1)),
  INDEX trace_id_bloom trace_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX row_id_bloom row_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, occurred_at, row_id)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS metrics (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  row_id FixedString(32) CODEC(ZSTD(1)),
  occurred_at DateTime64(6, 'UTC') CODEC(Delta(8), ZSTD(1)),
  name LowCardinality(String),
  type LowCardinality(String),
  unit LowCardinality(String),
  value Float64 CODEC(ZSTD(1)),
  trace_id String CODEC(ZSTD(1)),
  span_id String CODEC(ZSTD(1)),
  source LowCardinality(String),
  release LowCardinality(String),
  environment LowCardinality(String),
  attributes_text Map(LowCardinality(String), String) CODEC(ZSTD(1)),
  attributes_number Map(LowCardinality(String), Float64) CODEC(ZSTD(1)),
  attributes_flag Map(LowCardinality(String), Bool) CODEC(ZSTD(1)),
  INDEX trace_id_bloom trace_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX occurred_at_minmax occurred_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, name, occurred_at, row_id)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

-- One row for each update of a session: which one counts is decided when it is read.
CREATE TABLE IF NOT EXISTS sessions (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  row_id FixedString(32) CODEC(ZSTD(1)),
  kind LowCardinality(String),
  session_id String CODEC(ZSTD(1)),
  distinct_id_hash String CODEC(ZSTD(1)),
  seq Int64 CODEC(ZSTD(1)),
  is_init Bool,
  started_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  occurred_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  duration_seconds Nullable(Float64) CODEC(ZSTD(1)),
  status LowCardinality(String),
  errors UInt64 CODEC(ZSTD(1)),
  exited UInt64 CODEC(ZSTD(1)),
  errored UInt64 CODEC(ZSTD(1)),
  crashed UInt64 CODEC(ZSTD(1)),
  abnormal UInt64 CODEC(ZSTD(1)),
  unhandled UInt64 CODEC(ZSTD(1)),
  release LowCardinality(String),
  environment LowCardinality(String),
  abnormal_mechanism LowCardinality(String),
  user_agent String CODEC(ZSTD(1)),
  INDEX started_at_minmax started_at TYPE minmax GRANULARITY 1,
  INDEX session_id_bloom session_id TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, release, started_at, row_id)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

-- One row for each update of a check-in, as for sessions.
CREATE TABLE IF NOT EXISTS check_ins (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  check_in_id FixedString(32) CODEC(ZSTD(1)),
  monitor_slug LowCardinality(String),
  status LowCardinality(String),
  environment LowCardinality(String),
  occurred_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  duration_ms Nullable(Float64) CODEC(ZSTD(1)),
  trace_id String CODEC(ZSTD(1)),
  monitor_config String CODEC(ZSTD(1)),
  INDEX check_in_id_bloom check_in_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX occurred_at_minmax occurred_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, monitor_slug, occurred_at, check_in_id, status)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS feedback (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  feedback_id FixedString(32) CODEC(ZSTD(1)),
  source LowCardinality(String),
  occurred_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  message String CODEC(ZSTD(1)),
  name String CODEC(ZSTD(1)),
  email String CODEC(ZSTD(1)),
  url String CODEC(ZSTD(1)),
  associated_event_id String CODEC(ZSTD(1)),
  replay_id String CODEC(ZSTD(1)),
  trace_id String CODEC(ZSTD(1)),
  release LowCardinality(String),
  environment LowCardinality(String),
  platform LowCardinality(String),
  payload String CODEC(ZSTD(1)),
  INDEX feedback_id_bloom feedback_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX associated_event_id_bloom associated_event_id TYPE bloom_filter(0.005) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, occurred_at, feedback_id)
SETTINGS
  index_granularity = 1024,
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS attachments (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  attachment_id FixedString(32) CODEC(ZSTD(1)),
  event_id FixedString(32) CODEC(ZSTD(1)),
  name String CODEC(ZSTD(1)),
  content_type LowCardinality(String),
  type LowCardinality(String),
  bytes UInt64 CODEC(ZSTD(1)),
  blob_key String CODEC(ZSTD(1)),
  INDEX attachment_id_bloom attachment_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX received_at_minmax received_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, event_id, attachment_id)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

-- One row for each segment of a replay: what it says of the replay as a whole is put together when it is read.
CREATE TABLE IF NOT EXISTS replays (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  replay_id FixedString(32) CODEC(ZSTD(1)),
  segment_id UInt32 CODEC(ZSTD(1)),
  started_at Nullable(DateTime64(3, 'UTC')) CODEC(ZSTD(1)),
  occurred_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  replay_type LowCardinality(String),
  urls Array(String) CODEC(ZSTD(1)),
  error_ids Array(String) CODEC(ZSTD(1)),
  trace_ids Array(String) CODEC(ZSTD(1)),
  release LowCardinality(String),
  environment LowCardinality(String),
  platform LowCardinality(String),
  user_id String CODEC(ZSTD(1)),
  payload String CODEC(ZSTD(1)),
  INDEX occurred_at_minmax occurred_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, replay_id, segment_id)
SETTINGS
  index_granularity = 1024,
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS replay_segments (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  replay_id FixedString(32) CODEC(ZSTD(1)),
  segment_id UInt32 CODEC(ZSTD(1)),
  kind LowCardinality(String),
  bytes UInt64 CODEC(ZSTD(1)),
  blob_key String CODEC(ZSTD(1)),
  INDEX received_at_minmax received_at TYPE minmax GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, replay_id, segment_id, kind)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

CREATE TABLE IF NOT EXISTS profiles (
  organization_id UInt64,
  project_id UInt64,
  key_id UInt64,
  received_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  profile_id FixedString(32) CODEC(ZSTD(1)),
  profiler_id String CODEC(ZSTD(1)),
  kind LowCardinality(String),
  platform LowCardinality(String),
  occurred_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
  duration_ms Nullable(Float64) CODEC(ZSTD(1)),
  transaction_name LowCardinality(String),
  trace_id String CODEC(ZSTD(1)),
  release LowCardinality(String),
  environment LowCardinality(String),
  bytes UInt64 CODEC(ZSTD(1)),
  blob_key String CODEC(ZSTD(1)),
  INDEX profile_id_bloom profile_id TYPE bloom_filter(0.005) GRANULARITY 1,
  INDEX profiler_id_bloom profiler_id TYPE bloom_filter(0.005) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMMDD(received_at)
ORDER BY (project_id, occurred_at, profile_id)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;
