-- Which events an issue has, and when, in a few narrow columns: a day of events is a partition of its own, and to look
-- into ninety of them for one issue costs more than all the rest. Here a month is one.
CREATE TABLE IF NOT EXISTS event_index (
  organization_id UInt64,
  project_id UInt64,
  -- As in the table of events, but as the number that the hexadecimal text stands for: half as long, in the same order.
  grouping_hash UInt128,
  occurred_at DateTime64(3, 'UTC') CODEC(DoubleDelta, LZ4),
  event_id UInt128 CODEC(NONE),
  -- Who it happened to, for counting: 0 for nobody known. As in the table of events.
  user_hash UInt64 DEFAULT if(user_kind = '', 0, sipHash64(user_kind, user_name)),
  user_kind String EPHEMERAL '',
  user_name String EPHEMERAL '',
  -- The day of the partition that holds the event.
  received_on Date
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(received_on)
ORDER BY (project_id, grouping_hash, occurred_at, event_id)
SETTINGS
  index_granularity = 512,
  min_compress_block_size = 16384,
  max_compress_block_size = 65536,
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;

-- Copies are read as one, so that this may run again.
INSERT INTO event_index (organization_id, project_id, grouping_hash, occurred_at, event_id, user_hash, received_on)
SELECT
  organization_id,
  project_id,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))),
  occurred_at,
  reinterpretAsUInt128(reverse(unhex(event_id))),
  user_hash,
  toDate(received_at)
FROM events
SETTINGS max_threads = 1, max_insert_block_size = 100000, min_insert_block_size_rows = 100000;
