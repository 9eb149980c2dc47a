-- Which rows belong to a person whose data is exported or erased: their ids, and nothing that the person is called by.
-- Statements that delete name this table, so that no name stays in what the engine keeps of them. Dropped with the request.
CREATE TABLE IF NOT EXISTS person_rows (
  request_id UInt64,
  -- A kind of data, as src/storage/ports/person-data.ts names them.
  kind LowCardinality(String),
  project_id UInt64,
  row_id String CODEC(ZSTD(1)),
  -- Of attachments, recordings and profiles.
  blob_key String CODEC(ZSTD(1)),
  -- Of events.
  grouping_hash String CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
PARTITION BY request_id
ORDER BY (kind, project_id, row_id, blob_key)
SETTINGS
  fsync_after_insert = 1,
  fsync_part_directory = 1,
  min_rows_to_fsync_after_merge = 1;
