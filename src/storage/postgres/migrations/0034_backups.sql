-- Backups that were made, are being made, or wait. What they hold is known by their own files; this is for people who look
-- whether they are made at all. A run that is silent for minutes has died.
CREATE TABLE backup_runs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  origin text NOT NULL CHECK (origin IN ('schedule', 'request', 'command')),
  state text NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  folder text NOT NULL,
  requested_by text REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  beat_at timestamptz,
  finished_at timestamptz,
  -- Of its progress.
  step text,
  done bigint NOT NULL DEFAULT 0,
  total bigint,
  -- Written so far; of a backup that is done, everything that it needs.
  bytes bigint NOT NULL DEFAULT 0,
  new_bytes bigint,
  backup_id text,
  -- Everything that was accepted before is in it.
  moment_at timestamptz,
  events bigint,
  paused_ms integer,
  is_encrypted boolean,
  error text
);
CREATE INDEX backup_runs_newest_idx ON backup_runs (created_at DESC, id DESC);
CREATE UNIQUE INDEX backup_runs_waiting_idx ON backup_runs (state) WHERE state = 'waiting';
