-- What was dropped to keep to the days and to the disk budget. A row is written before its data goes, together with the
-- outcomes, so that a crash in between neither forgets nor counts twice: `done_at` is null until the data is gone.
CREATE TABLE retention_drops (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  day date NOT NULL,
  -- Name of the part when only a part of the day was dropped; empty for the whole day.
  part text NOT NULL DEFAULT '',
  reason text NOT NULL CHECK (reason IN ('age', 'disk_budget')),
  row_count bigint NOT NULL,
  bytes bigint NOT NULL,
  started_at timestamptz NOT NULL,
  done_at timestamptz
);
CREATE INDEX retention_drops_newest_idx ON retention_drops (started_at DESC, id DESC);
CREATE INDEX retention_drops_unfinished_idx ON retention_drops (id) WHERE done_at IS NULL;
