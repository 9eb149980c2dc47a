-- Which events a change of grouping rules gives another hash, and which one they had: what is moved, and how it is taken
-- back. Days are those of the events, so that a move touches one partition of events at a time.
CREATE TABLE IF NOT EXISTS regroup_moves (
  change_id UInt64,
  -- 0 while the change is applied, 1 while it is undone.
  phase UInt8,
  round UInt32,
  project_id UInt64,
  received_on Date,
  from_hash UInt128,
  to_hash UInt128,
  occurred_at DateTime64(3, 'UTC') CODEC(DoubleDelta, LZ4),
  event_id UInt128 CODEC(NONE)
)
ENGINE = ReplacingMergeTree
PARTITION BY change_id
ORDER BY (phase, round, received_on, from_hash, occurred_at, event_id)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;
