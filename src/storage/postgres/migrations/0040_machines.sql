-- Processes of roles, of every machine that shares this database. Times are of the database's own clock.
CREATE TABLE role_processes (
  process_id uuid PRIMARY KEY,
  role text NOT NULL,
  machine text NOT NULL,
  version text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now(),
  -- How far the clock of the machine is ahead of the database's; null until it is known.
  clock_ahead_ms integer
) WITH (fillfactor = 50);

-- What all machines together have let through in a window of time.
CREATE TABLE shared_counts (
  key text NOT NULL,
  window_end timestamptz NOT NULL,
  used bigint NOT NULL,
  PRIMARY KEY (key, window_end)
) WITH (fillfactor = 50);
CREATE INDEX shared_counts_by_end ON shared_counts (window_end);
