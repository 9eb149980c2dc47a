-- Events whose body was made anew say in which run: so the new row can be told from the old one, whose key it has.
ALTER TABLE events ADD COLUMN IF NOT EXISTS reprocess_run UInt64 DEFAULT 0;

-- New bodies, until all of a day are there and take the place of the old ones. A column that `events` gets belongs here
-- as well.
CREATE TABLE IF NOT EXISTS reprocessed_events AS events
ENGINE = ReplacingMergeTree
PARTITION BY (reprocess_run, toYYYYMMDD(received_at))
ORDER BY (toDate(received_at), grouping_hash, event_id)
SETTINGS
  index_granularity = 1024,
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1,
  non_replicated_deduplication_window = 1000;
