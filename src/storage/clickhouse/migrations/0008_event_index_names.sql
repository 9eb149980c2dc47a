-- What people narrow a page to most often, so that it is counted where all events are. A row with `has_names` knows them.
ALTER TABLE event_index
  ADD COLUMN IF NOT EXISTS environment LowCardinality(String),
  ADD COLUMN IF NOT EXISTS release LowCardinality(String),
  ADD COLUMN IF NOT EXISTS has_names Bool;

-- Rows that were there before have a copy that knows more: what is counted by a name is counted among those. Copies are
-- read as one, so that this may run again.
INSERT INTO event_index
  (organization_id, project_id, grouping_hash, occurred_at, event_id, user_hash, received_on, environment, release, has_names)
SELECT
  organization_id,
  project_id,
  reinterpretAsUInt128(reverse(unhex(grouping_hash))),
  occurred_at,
  reinterpretAsUInt128(reverse(unhex(event_id))),
  user_hash,
  toDate(received_at),
  environment,
  release,
  true
FROM events
SETTINGS max_threads = 1, max_insert_block_size = 100000, min_insert_block_size_rows = 100000;
